/** The ports of access: credentials and the audit log, which every store implements. */
@NullMarked
package dev.orderly.access.store;

import org.jspecify.annotations.NullMarked;
