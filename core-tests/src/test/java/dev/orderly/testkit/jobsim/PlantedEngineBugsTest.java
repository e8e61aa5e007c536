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

    /** Some of the table in docs/proof.md, each within some times the seeds that it takes. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            GroupRunner, giveBackRest, 0, 20
            NodeLease, isSure, 1, 50
            GroupRunner, accepted, 1, 80
            testkit.MemoryUpkeep, endLeases, 0, 40
            schedule.ScheduleState, awaitsEnd, 1, 10
            ClaimLoop, waitsForLimits, 0, 60
            testkit.MemoryTable, room, 2, 40
            testkit.MemoryTable, running, 2, 50
            testkit.MemoryJobs, end, 2, 120
            job.limit.KeyTurns, begins, 2, 10
            job.limit.KeyTurns, runs, 0, 10
            job.limit.KeyTurns, hasShare, 0, 20
            job.limit.GroupRates, next, 2, 20
            job.JobTerms, cost, 1, 20
            job.settings.KeySettings, paused, 0, 40
            AttemptSteps, mayHaveSteps, 0, 20
            """)
    void aPlantedBugDies(String type, String method, int answer, int seeds) {
        assertThat(new Mutant(type, method, answer).find(seeds)).as(type + "." + method).isNotNull();
    }
}
