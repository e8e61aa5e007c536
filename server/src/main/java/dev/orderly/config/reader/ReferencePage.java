package dev.orderly.config.reader;

import dev.orderly.config.Config;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.source.KeyPaths;
import java.util.List;

/** The reference of the configuration file, generated from the key table. */
public final class ReferencePage {
    private static final String HEAD = """
            # Configuration

            <!-- Written by `./orderly config reference > docs/configuration.md`. Do not edit. -->

            1. Write one YAML file, such as the sample below.
            2. Check it: `orderly config check orderly.yaml` lists every problem, starts nothing, and has exit code 2 if
               there is one.
            3. Start: `orderly serve --config orderly.yaml`.

            Unknown and repeated keys are refused. Relative paths are relative to the file's folder. Times are written
            `250ms`, `30s`, `5m`, `6h`, `14d`, sizes `100B`, `256KiB`, `1MiB`, `1GiB`.

            Each single value has an environment variable that overrides the file; `--port` and `--admin-port` override
            both. The variable of a queue, room or schedule contains its name, with `_` for every character that is
            neither letter nor digit: `ORDERLY_QUEUES_CHECKOUT_FIFO_TIMEOUT` is `queues.checkout.fifo.timeout`. An
            unknown variable that starts with `ORDERLY_` is refused, so that a typo is not silent; variables that
            Kubernetes sets for Services (`ORDERLY_SERVICE_HOST`, ...) are ignored.

            ```yaml
            """;

    /** An example file with the most common keys. */
    public static final String SAMPLE = """
            store: sqlite:data/orderly.db
            secret-file: data/secret
            edge:
              port: 8080
              origin: http://127.0.0.1:9000
            admin:
              port: 8081
            queues:
              emails: { handler: "http://127.0.0.1:9000/jobs/emails", concurrency: 32, timeout: 5m }
              checkout.fifo:
                handler: "http://127.0.0.1:9000/jobs/checkout"
                retry: { attempts: 8, base: 2s, factor: 3, max: 5m, jitter: 0.25 }
                on-dead: continue
            routes:
              - post: "/checkout/{dedupe}"
                queue: checkout.fifo
                accepts: [application/json, application/x-www-form-urlencoded]
                users: required
                group: user
                limit: { per-user: 10 per 1m, per-address: 60 per 1m }
            users:
              jwt: { secret-env: USER_JWT_SECRET, cookie: session }
            rooms:
              sale:
                match: ["/tickets/**"]
                bypass: ["/tickets/logo.svg"]
                capacity: 200
                rate: 5 per 15s
                backlog: { queue: checkout.fifo, target: 60s }
                pass-idle: 5m
            schedules:
              daily-report:
                cron: "0 7 * * *"
                zone: Europe/Berlin
                queue: emails
                payload: { kind: daily }
            keep: { done: 24h, done-max: 100000, dead: 14d, history: 90d }
            """;

    private final StringBuilder page = new StringBuilder();

    private ReferencePage() {}

    /** The page as Markdown. */
    public static String markdown() {
        ReferencePage reference = new ReferencePage();
        reference.page.append(HEAD).append(SAMPLE).append("```\n");
        reference.group("", "The file", Config.FILE.entries(), "");
        return reference.page.toString();
    }

    private void group(String path, String title, List<KeySpec> entries, String about) {
        page.append("\n## ").append(title).append('\n');
        if (!about.isEmpty()) {
            page.append('\n').append(about).append('\n');
        }
        boolean values = entries.stream()
                .anyMatch(e -> e instanceof KeySpec.Key || e instanceof KeySpec.Many || e instanceof KeySpec.Split
                        || e instanceof KeySpec.ByLanguage);
        if (values) {
            page.append("\n| key | takes | if absent | variable | meaning |\n|---|---|---|---|---|\n");
            entries.forEach(entry -> row(path, entry));
        }
        entries.forEach(entry -> below(path, entry));
    }

    private void row(String path, KeySpec entry) {
        switch (entry) {
            case KeySpec.Key<?> key -> row(path, key, key.kind().rule(), key.absent(), variable(path, key));
            case KeySpec.ByLanguage texts -> row(path, texts, texts.kind().rule() + "; or one for each language",
                    texts.absent(), variable(path, texts));
            case KeySpec.Split split ->
                row(path, split.whole(), split.whole().kind().rule() + "; or the keys below", split.whole().absent(),
                        variable(path, split));
            case KeySpec.Many<?> many -> row(path, many, "a list: " + many.kind().rule(), many.absent(), "");
            case KeySpec.Any any -> row(path, any, "any value", any.absent(), "");
            case KeySpec.Group _,KeySpec.Named _,KeySpec.Listed _ -> {
            }
        }
    }

    private void row(String path, KeySpec entry, String rule, Absent absent, String variable) {
        String otherwise = switch (absent) {
            case Absent.Refused() -> "required";
            case Absent.Means(String text) -> "`" + text + "`";
            case Absent.Depends(String words) -> words;
        };
        page.append("| `").append(KeyPaths.below(path, entry.name())).append("` | ").append(rule).append(" | ")
                .append(otherwise)
                .append(" | ").append(variable).append(" | ").append(entry.about()).append(" |\n");
    }

    private static String variable(String path, KeySpec entry) {
        return path.contains("[]") ? "" : "`" + KeyPaths.variable(KeyPaths.below(path, entry.name())) + "`";
    }

    private void below(String path, KeySpec entry) {
        String here = KeyPaths.below(path, entry.name());
        switch (entry) {
            case KeySpec.Group group -> group(here, here, group.entries(), group.about());
            case KeySpec.Split split -> group(here, here, split.parts(), split.about());
            case KeySpec.Named named -> group(here + ".NAME", here, named.entries(), named.about());
            case KeySpec.Listed listed ->
                group(here + "[]", here, listed.entries(), listed.about() + brief(here, listed));
            case KeySpec.Key<?> _,KeySpec.ByLanguage _,KeySpec.Many<?> _,KeySpec.Any _ -> {
            }
        }
    }

    private static String brief(String path, KeySpec.Listed listed) {
        String first = "`" + listed.entries().getFirst().name() + "`";
        return switch (listed.brief()) {
            case NOTHING -> "";
            case ITEM -> " An item may be a plain value, its " + first + ".";
            case LIST -> " A plain value instead of the list is the " + first + " of its only item; the variable `"
                    + KeyPaths.variable(path) + "` sets it.";
        };
    }
}
