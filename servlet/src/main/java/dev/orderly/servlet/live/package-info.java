/** Live connections of the users of an application: WebSockets and event streams. */
@NullMarked
package dev.orderly.servlet.live;

import org.jspecify.annotations.NullMarked;
