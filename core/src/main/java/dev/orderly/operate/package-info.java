/**
 * What operators and callers may do to queues, jobs, rooms, schedules and nodes, once for all doors: the API, the
 * dashboard, the command line behind the API. {@link dev.orderly.operate.OperationSpec} is the table of all operations,
 * {@link dev.orderly.operate.Operations} runs them and writes the audit log.
 */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.operate;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
