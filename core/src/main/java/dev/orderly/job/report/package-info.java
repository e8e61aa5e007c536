/** Reports of attempts to the store: {@link dev.orderly.job.report.PatientReports}. */
@NullMarked
package dev.orderly.job.report;

import org.jspecify.annotations.NullMarked;
