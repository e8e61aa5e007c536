/**
 * Events of Spring Modulith as jobs: each event for a method with {@code @ApplicationModuleListener}, and events with
 * {@code @Externalized}.
 *
 * <p>A listener is adopted at the {@code EventListenerFactory}, not by a repository of publications: the job is pushed
 * in the transaction that publishes, and the registry has no row of it. It is called through the advisors of its proxy
 * without {@code @Async}, so that its return is the end of the attempt, and its job is completed inside the listener's
 * own transaction: {@code REQUIRES_NEW} would suspend one of the handler.
 *
 * <p>An externalized event is pushed in the publishing transaction in both modes of Modulith, since it could be lost
 * after the commit. The id of a publication is no dedupe id: a look-up by content would lose one of two equal events.
 */
@Internal
@NullMarked
package dev.orderly.spring.event;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
