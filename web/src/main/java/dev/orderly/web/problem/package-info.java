/** Errors as RFC 9457 problem documents. */
@NullMarked
package dev.orderly.web.problem;

import org.jspecify.annotations.NullMarked;
