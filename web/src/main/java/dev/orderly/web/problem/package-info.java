/** Errors as RFC 9457 problem documents. */
@Internal(to = {"dev.orderly.dashboard", "dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.problem;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
