package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The process of one contender, which lives through all its runs. It answers each line on its input, a workload and its
 * number, with a line {@code figure …}. The end of the input ends it, and so does a failure.
 */
final class ContenderProcess {
    private ContenderProcess() {}

    /**
     * Arguments: the contender, the address of the database, its postmaster, and the milliseconds of window, warm-up
     * and pause.
     */
    public static void main(String[] args) throws Exception {
        ContenderKind kind = ContenderKind.valueOf(args[0]);
        Database database = Database.at(args[1], Long.parseLong(args[2]));
        Pace pace = new Pace(millis(args[3]), millis(args[4]), millis(args[5]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int exit = 0;
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("figure " + run(line.split(" ", -1), kind, database, pace).line());
            }
        } catch (Exception e) {
            e.printStackTrace();
            exit = 1;
        }
        // Some contenders leave threads behind.
        System.exit(exit);
    }

    private static Figure run(String[] words, ContenderKind kind, Database database, Pace pace) throws Exception {
        try (Contender contender = kind.open(database)) {
            return Workload.valueOf(words[0]).run(contender, database, pace, Integer.parseInt(words[1]));
        }
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }
}
