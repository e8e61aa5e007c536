/** Settings of queues that operators change while the nodes run, over all nodes that share a store. */
@NullMarked
package dev.orderly.job.settings;

import org.jspecify.annotations.NullMarked;
