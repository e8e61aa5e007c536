package dev.orderly.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.telemetry.metrics.Metric;
import dev.orderly.telemetry.metrics.MetricCatalogue;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alert rules of {@code docs/monitoring}. */
class MonitoringTest {
    private static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "..", "docs", "monitoring");
    private static final Pattern USE = Pattern.compile("((?:orderly|jvm|process|system)_[a-z_0-9]+)(\\{[^}]*})?");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)(?:=~|!=|!~|=)");
    private static final Map<String, Metric> METRICS = MetricCatalogue.all()
            .collect(Collectors.toMap(Metric::name, Function.identity(), (one, _) -> one, TreeMap::new));

    @TempDir
    private Path scratch = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"dashboard.json", "alerts.yaml", "alerts-test.yaml"})
    void eachUsedMetricIsInTheCatalogueWithItsLabels(String file) throws IOException {
        Matcher use = USE.matcher(Files.readString(FOLDER.resolve(file)));
        List<String> wrong = new ArrayList<>();
        int uses = 0;
        while (use.find()) {
            uses++;
            String name = use.group(1);
            String family = name.replaceFirst("_(bucket|count|sum|max)$", "");
            Metric metric = METRICS.getOrDefault(name, METRICS.get(family));
            if (metric == null || (!name.equals(metric.name()) && !metric.isHistogram())) {
                wrong.add(name);
            } else if (use.group(2) != null) {
                Matcher label = LABEL.matcher(use.group(2));
                while (label.find()) {
                    if (!metric.labels().contains(label.group(1)) && !label.group(1).equals("instance")) {
                        wrong.add(name + " has no label " + label.group(1));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(uses).isGreaterThan(10);
    }

    @Test
    void promtoolAcceptsTheRulesAndTheyFireWhenTheyShould() {
        String promtool = ChildProcess.installed("promtool").map(Path::toString).orElse("");
        if (promtool.isEmpty()) {
            LoggerFactory.getLogger(MonitoringTest.class).error("ALERT RULES NOT TESTED: no promtool on the PATH");
            return;
        }
        for (List<String> check : List.of(List.of("check", "rules", "alerts.yaml"),
                List.of("test", "rules", "alerts-test.yaml"))) {
            accepted(promtool, FOLDER, check);
        }
    }

    @Test
    void promtoolAcceptsEachQueryOfTheDashboard() throws IOException {
        String promtool = ChildProcess.installed("promtool").map(Path::toString).orElse("");
        if (promtool.isEmpty()) {
            LoggerFactory.getLogger(MonitoringTest.class).error("DASHBOARD NOT TESTED: no promtool on the PATH");
            return;
        }
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(FOLDER.resolve("dashboard.json")));
        List<String> queries = dashboard.path("panels").valueStream()
                .flatMap(panel -> panel.path("targets").valueStream()).map(target -> target.path("expr").asString())
                .map(query -> query.replace("$__rate_interval", "5m").replaceAll("\\$[a-z]+", ".*")).toList();
        assertThat(queries).hasSizeGreaterThan(40);
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        for (int n = 0; n < queries.size(); n++) {
            rules.append("  - record: dashboard:%d\n    expr: |\n      %s\n".formatted(n, queries.get(n)));
        }
        Files.writeString(scratch.resolve("queries.yaml"), rules);
        accepted(promtool, scratch, List.of("check", "rules", "queries.yaml"));
    }

    private static void accepted(String promtool, Path folder, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(promtool));
        command.addAll(arguments);
        ChildProcess.Ended ended = ChildProcess.run(command,
                builder -> builder.directory(folder.toFile()).redirectErrorStream(true));
        assertThat(ended.exitCode()).as(ended.out()).isZero();
    }
}
