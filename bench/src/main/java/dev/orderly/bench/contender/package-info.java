/** The measured job queues on PostgreSQL, each in a process of its own, and the workloads that all of them get. */
@NullMarked
package dev.orderly.bench.contender;

import org.jspecify.annotations.NullMarked;
