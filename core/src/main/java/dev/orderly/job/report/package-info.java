/** Reports of attempts to the store: {@link dev.orderly.job.report.PatientReports}. */
@Internal
@NullMarked
package dev.orderly.job.report;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
