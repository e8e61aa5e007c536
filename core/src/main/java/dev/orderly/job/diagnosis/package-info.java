/** What keeps a job from running: {@link dev.orderly.job.diagnosis.JobDiagnostics}. */
@NullMarked
package dev.orderly.job.diagnosis;

import org.jspecify.annotations.NullMarked;
