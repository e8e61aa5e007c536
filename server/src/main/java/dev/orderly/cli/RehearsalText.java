package dev.orderly.cli;

import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.RoomConfig;
import dev.orderly.rehearsal.RehearsalReport;
import dev.orderly.rehearsal.RehearsalReport.Minute;
import dev.orderly.rehearsal.RehearsalReport.Slot;
import dev.orderly.rehearsal.RehearsalReport.TierWaits;
import dev.orderly.room.Limits;
import dev.orderly.text.DurationText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rehearsals of the same crowd as tables, and as JSON.
 *
 * @param rehearsed one or two
 */
record RehearsalText(String title, List<Rehearsed> rehearsed) {
    /**
     * A rehearsal of a room.
     *
     * @param name of the configuration, as it was given
     */
    record Rehearsed(String name, RoomConfig room, RehearsalReport report) {
        Slot all() {
            return report.everybody();
        }
    }

    void print(PrintWriter out) {
        out.println(title);
        out.println();
        TextTable facts = table("", rehearsed.stream().map(Rehearsed::name).toList());
        fact(facts, "limits", each -> limits(each.room));
        fact(facts, "wait p50", each -> text(each.all().quantile(0.5)));
        fact(facts, "wait p95", each -> text(each.all().quantile(0.95)));
        fact(facts, "longest wait", each -> text(each.all().quantile(1)));
        fact(facts, "longest line", each -> longest(each.report.longest()));
        fact(facts, "nobody waits", each -> "after " + text(each.report.end()));
        if (rehearsed.stream().anyMatch(each -> each.report.shutOut() > 0)) {
            fact(facts, "shut out at the close", each -> String.format(Locale.ROOT, "%,d", each.report.shutOut()));
        }
        fact(facts, "use of the capacity", each -> each.report.used() == null
                ? "-"
                : Math.round(each.report.used() * 100) + " % while visitors wait");
        facts.print(out);
        out.println();
        TextTable slots = waits("ARRIVED");
        for (int n = 0; n < rehearsed.getFirst().report.slots().size(); n++) {
            int number = n;
            Slot first = rehearsed.getFirst().report.slots().get(n);
            row(slots, text(first.from()) + " to " + text(first.to()),
                    report -> Optional.of(report.slots().get(number)));
        }
        slots.print(out);
        List<@Nullable String> names = tiers();
        if (!names.isEmpty()) {
            TextTable byTier = waits("TIER");
            names.forEach(
                    tier -> row(byTier, tier == null ? "no tier" : tier,
                            report -> report.tier(tier).map(TierWaits::all)));
            out.println();
            byTier.print(out);
        }
    }

    /** The names of the tiers with visitors, and null at last for those of no tier. */
    private List<@Nullable String> tiers() {
        List<@Nullable String> names = new ArrayList<>(rehearsed.getFirst().report.crowd().tiers().stream()
                .filter(tier -> rehearsed.stream().anyMatch(each -> each.report.tier(tier).isPresent())).toList());
        if (!names.isEmpty()) {
            names.add(null);
        }
        return names;
    }

    private TextTable waits(String first) {
        List<String> columns = new ArrayList<>(List.of("VISITORS"));
        rehearsed.forEach(each -> columns.addAll(rehearsed.size() == 1
                ? List.of("WAIT P50", "WAIT P95")
                : List.of("P50 " + each.name, "P95 " + each.name)));
        return table(first, columns);
    }

    /** A row of waits, with the visitors of the first room that has them. */
    private void row(TextTable table, String name, Function<RehearsalReport, Optional<Slot>> of) {
        List<Optional<Slot>> slots = rehearsed.stream().map(each -> of.apply(each.report)).toList();
        List<String> row = new ArrayList<>(List.of(name, slots.stream().flatMap(Optional::stream).findFirst()
                .map(slot -> String.format(Locale.ROOT, "%,d", slot.waits().size())).orElse("-")));
        for (Optional<Slot> slot : slots) {
            row.add(slot.map(each -> text(each.quantile(0.5))).orElse("-"));
            row.add(slot.map(each -> text(each.quantile(0.95))).orElse("-"));
        }
        table.row(row.toArray(String[]::new));
    }

    private static TextTable table(String first, List<String> others) {
        List<String> head = new ArrayList<>(List.of(first));
        head.addAll(others);
        return new TextTable(head.toArray(String[]::new));
    }

    private void fact(TextTable table, String name, Function<Rehearsed, String> value) {
        List<String> row = new ArrayList<>(List.of(name));
        rehearsed.forEach(each -> row.add(value.apply(each)));
        table.row(row.toArray(String[]::new));
    }

    private static String limits(RoomConfig room) {
        Limits limits = room.options().limits();
        return Stream.of(limits.mostPasses().map(most -> String.format(Locale.ROOT, "capacity %,d", most)),
                limits.mostAdmissions().map(rate -> "rate " + rate),
                Optional.of("pass-idle " + DurationText.of(room.options().stay().passIdle())))
                .flatMap(Optional::stream).collect(Collectors.joining(", "));
    }

    private static String longest(Minute minute) {
        return String.format(Locale.ROOT, "%,d after %s", minute.waiting(), text(minute.at()));
    }

    static String text(Duration value) {
        return DurationText.rounded(value);
    }

    static Map<String, Object> json(Rehearsed rehearsed) {
        RehearsalReport report = rehearsed.report;
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("config", rehearsed.name);
        all.put("room", rehearsed.room.name().value());
        all.put("waitP50", rehearsed.all().quantile(0.5).toSeconds());
        all.put("waitP95", rehearsed.all().quantile(0.95).toSeconds());
        all.put("longestWait", rehearsed.all().quantile(1).toSeconds());
        all.put("longestLine", report.longest().waiting());
        all.put("nobodyWaitsAfter", report.end().toSeconds());
        all.put("shutOut", report.shutOut());
        if (report.used() != null) {
            all.put("useOfCapacity", report.used());
        }
        all.put("arrivals", json(report.slots()));
        if (!report.tiers().isEmpty()) {
            all.put("tiers", report.tiers().stream().map(tier -> {
                Map<String, Object> waits = new LinkedHashMap<>();
                waits.put("tier", tier.tier());
                waits.put("visitors", tier.all().waits().size());
                waits.put("waitP50", tier.all().quantile(0.5).toSeconds());
                waits.put("waitP95", tier.all().quantile(0.95).toSeconds());
                waits.put("arrivals", json(tier.slots()));
                return waits;
            }).toList());
        }
        all.put("minutes", report.minutes().stream().map(at -> Map.of("at", at.at().toSeconds(), "waiting",
                at.waiting(), "entered", at.entered())).toList());
        return all;
    }

    private static List<Map<String, Object>> json(List<Slot> slots) {
        return slots.stream().map(slot -> Map.<String, Object>of("from", slot.from().toSeconds(), "to",
                slot.to().toSeconds(), "visitors", slot.waits().size(), "waitP50", slot.quantile(0.5).toSeconds(),
                "waitP95", slot.quantile(0.95).toSeconds())).toList();
    }
}
