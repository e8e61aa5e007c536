/** Pages of the audit log. */
@Internal
@NullMarked
package dev.orderly.dashboard.audit;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
