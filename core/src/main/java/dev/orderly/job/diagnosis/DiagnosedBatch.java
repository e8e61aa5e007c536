package dev.orderly.job.diagnosis;

import dev.orderly.job.BatchName;
import dev.orderly.job.JobId;
import org.jspecify.annotations.Nullable;

/** The diagnosis of one batch. */
record DiagnosedBatch(BatchName batch, Cause cause, String sentence, String remedy, @Nullable JobId job)
        implements
            BatchDiagnosis {}
