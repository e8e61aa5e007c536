package dev.orderly.job.diagnosis;

import dev.orderly.job.JobId;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The diagnosis of one job. */
record DiagnosedJob(JobId job, Cause cause, String sentence, String remedy, @Nullable JobId blocker,
        @Nullable Integer ahead, @Nullable Instant at) implements JobDiagnosis {
    static DiagnosedJob of(JobId job, Cause cause, String sentence, String remedy) {
        return new DiagnosedJob(job, cause, sentence, remedy, null, null, null);
    }

    static JobDiagnosis expiring(JobDiagnosis of, Instant expiresAt) {
        return new DiagnosedJob(of.job(), of.cause(),
                of.sentence() + " It expires at " + expiresAt + ", unless an attempt starts before.", of.remedy(),
                of.blocker(), of.ahead(), of.at());
    }

    DiagnosedJob behind(JobId first) {
        return new DiagnosedJob(job, cause, sentence, remedy, first, ahead, at);
    }

    DiagnosedJob withAhead(int jobs) {
        return new DiagnosedJob(job, cause, sentence, remedy, blocker, jobs, at);
    }

    DiagnosedJob at(@Nullable Instant moment) {
        return new DiagnosedJob(job, cause, sentence, remedy, blocker, ahead, moment);
    }
}
