package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleConfigTest extends ConfigTrial {
    ScheduleConfigTest() {
        super("""
                store: sqlite:orderly.db
                queues: { reports: {}, orders.fifo: {}, tiny: { max-payload: 10B } }
                schedules:
                """);
    }

    @Test
    void everySettingOfAScheduleIsRead() {
        assertThat(schedules("""
                  daily-report:
                    cron: "0 7 * * *"
                    zone: Europe/Berlin
                    queue: orders.fifo
                    group: nightly
                    payload: { kind: daily }
                """)).containsExactly(
                new ScheduleConfig(new ScheduleName("daily-report"),
                        Timing.parse("0 7 * * *", ZoneId.of("Europe/Berlin")),
                        new QueueName("orders.fifo"), "nightly", Payload.json("{\"kind\":\"daily\"}")));
    }

    @Test
    void aScheduleWithoutZoneIsInUtcAndWithoutPayloadCarriesAnEmptyObject() {
        assertThat(schedules("  a: { cron: every 15 minutes, queue: reports }")).containsExactly(
                new ScheduleConfig(new ScheduleName("a"), Timing.parse("every 15 minutes"), new QueueName("reports"),
                        null, Payload.json("{}")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5                            | 5
            2.5                          | 2.5
            true                         | true
            "'5'"                        | "5"
            "'true'"                     | "true"
            0x1F                         | "0x1F"
            daily                        | "daily"
            null                         | null
            [1, two, [3], {}]            | [1,"two",[3],{}]
            {a: {b: [1.5, no]}, c: null} | {"a":{"b":[1.5,"no"]},"c":null}
            """, quoteCharacter = '`')
    void aPayloadIsAnyValueAsJson(String yaml, String json) {
        String unquoted = yaml.startsWith("\"'") ? yaml.substring(1, yaml.length() - 1) : yaml;
        assertThat(schedules("  a: { cron: daily, queue: reports, payload: " + unquoted + " }"))
                .extracting(schedule -> schedule.payload().asText()).containsExactly(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    { cron: every 7 minutes after all, queue: reports }    | schedules.a.cron    | no known timing
                    { cron: "61 * * * *", queue: reports }                 | schedules.a.cron    | 61
                    { queue: reports }                                     | schedules.a.cron    | It is missing
                    { cron: daily, zone: Berlin, queue: reports }          | schedules.a.zone    | Europe/Berlin
                    { cron: daily }                                        | schedules.a.queue   | It is missing
                    { cron: daily, queue: report }                         | schedules.a.queue   | did you mean reports?
                    { cron: daily, queue: orders.fifo }                    | schedules.a.group   | is FIFO
                    { cron: daily, queue: reports, group: g }              | schedules.a.group   | has no groups
                    { cron: daily, queue: tiny, payload: "a long text" }   | schedules.a.payload | takes 10
                    { cron: daily, queue: reports, every: 5m }             | schedules.a.every   | no such key
                    """,
            quoteCharacter = '`')
    void anInvalidScheduleIsReportedWithItsKeyAndARemedy(String schedule, String key, String reported) {
        assertThat(problems("  a: " + schedule)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.toString()).contains(reported);
        });
    }

    @Test
    void anInvalidNameIsReported() {
        assertThat(problems("  a b: { cron: daily, queue: reports }")).singleElement()
                .satisfies(problem -> assertThat(problem.rule()).contains("the name of a schedule"));
    }

    @Test
    void aVariableMaySetWhenAScheduleIsDue() {
        environment.put("ORDERLY_SCHEDULES_DAILY_REPORT_CRON", "never");
        assertThat(schedules("  daily-report: { cron: daily, queue: reports }"))
                .extracting(schedule -> schedule.timing().text()).containsExactly("never");
    }

    @Test
    void theLogNamesEverySchedule() {
        assertThat(valid("  a: { cron: daily, queue: orders.fifo, group: g }\n").inForce())
                .contains("schedule a: daily UTC -> orders.fifo, group g");
    }

    private List<ScheduleConfig> schedules(String yaml) {
        return valid(yaml + "\n").jobs().schedules();
    }
}
