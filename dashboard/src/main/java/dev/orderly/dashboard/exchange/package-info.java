/** Requests and responses of the dashboard, independent of any server. */
@NullMarked
package dev.orderly.dashboard.exchange;

import org.jspecify.annotations.NullMarked;
