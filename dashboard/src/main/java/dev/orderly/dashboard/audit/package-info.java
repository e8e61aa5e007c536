/** Pages of the audit log. */
@NullMarked
package dev.orderly.dashboard.audit;

import org.jspecify.annotations.NullMarked;
