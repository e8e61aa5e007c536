package dev.orderly.testkit.jobsim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** The simulation proves something only if it finds an engine that breaks a promise. */
@Tag("slow")
class PlantedEngineBugsTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.orderly");

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    /** Some of the table in docs/proof.md, each from a seed shortly before the one that finds it. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            GroupRunner, giveBackRest, 0, 1, 20
            NodeLease, isSure, 1, 4, 20
            GroupRunner, accepted, 1, 8, 40
            testkit.MemoryUpkeep, endLeases, 0, 1, 20
            schedule.ScheduleState, awaitsEnd, 1, 1, 10
            ClaimLoop, waitsForLimits, 0, 1, 20
            testkit.MemoryTable, room, 2, 1, 20
            testkit.MemoryTable, running, 2, 1, 20
            testkit.MemoryJobs, end, 2, 348, 390
            job.limit.KeyTurns, begins, 2, 1, 20
            job.limit.KeyTurns, runs, 0, 1, 10
            job.limit.KeyTurns, hasShare, 0, 1, 20
            job.limit.GroupRates, next, 2, 1, 30
            job.JobTerms, cost, 1, 1, 30
            job.settings.KeySettings, paused, 0, 1, 20
            AttemptSteps, mayHaveSteps, 0, 1, 20
            job.store.NewEvent, against, 2, 1, 10
            job.store.EventWait, asked, 2, 1, 10
            testkit.MemoryEvents, settle, 2, 23, 60
            testkit.MemoryJobs, keep, 2, 74, 120
            testkit.MemoryBatches, isLeft, 0, 1, 10
            testkit.MemoryBatches$Table, changed, 0, 1, 10
            job.store.BatchRules, check, 0, 1, 10
            JobBatches, round, 0, 1, 10
            JobBatches, cancelMembers, 0, 34, 80
            """)
    void aPlantedBugDies(String type, String method, int answer, int first, int last) {
        assertThat(new Mutant(type, method, answer).find(first, last)).as(type + "." + method).isNotNull();
    }

    /** Bugs that runs of everything meet rarely, in runs of what shows them. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            job.pull.PullClaims, giveBackUnsure, 0, pulls
            DeclaredQueue, isPaused, 0, pauses
            """)
    void aPlantedBugDiesInASmallerSituation(String type, String method, int answer, String situation) {
        assertThat(new Mutant(type, method, answer).find(situation, 1, 40)).as(type + "." + method).isNotNull();
    }
}
