/** Requests and responses of the dashboard, independent of any server. */
@Internal(to = {"dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.dashboard.exchange;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
