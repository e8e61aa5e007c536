/**
 * Messages to and from users who are connected now, and who that is.
 *
 * <p>{@link dev.orderly.live.Users} is what applications use. A transport, such as WebSockets, makes a {@link
 * dev.orderly.live.LiveConnection} of each of its connections and hands it to the {@link dev.orderly.live.LiveEngine}.
 */
@NullMarked
package dev.orderly.live;

import org.jspecify.annotations.NullMarked;
