/** Pages of users who are connected. */
@NullMarked
package dev.orderly.dashboard.live;

import org.jspecify.annotations.NullMarked;
