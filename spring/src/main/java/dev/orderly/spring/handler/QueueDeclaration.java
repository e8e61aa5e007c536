package dev.orderly.spring.handler;

import dev.orderly.Internal;

/**
 * A part that declares queues, such as those of schedules, and may attach their handlers. Called once, when all beans
 * exist, before the options of properties are put in force.
 */
@Internal(to = "dev.orderly")
@FunctionalInterface
public interface QueueDeclaration {
    /** @throws dev.orderly.spring.StartRefusedException if the configuration of the part is wrong */
    void declareQueues();
}
