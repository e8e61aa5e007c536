package dev.orderly.testkit.jobsim;

/**
 * What a job does, as its payload says.
 *
 * @param number unique in a run
 * @param millis how long an attempt takes
 * @param plan a letter for each attempt: o done, f failed, d unprocessable, l failed with a delay of its own, s
 *     snoozed, i done, and takes no notice of interrupts (a worker elsewhere never reports), m meets others, t done in
 *     the time that it says; further attempts are done
 */
record Work(int number, int millis, String plan) {
    static Work parse(String payload) {
        String[] parts = payload.split(":", -1);
        return new Work(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
    }

    String payload() {
        return number + ":" + millis + ":" + plan;
    }

    /** Whether its handler asks for an event first. */
    boolean awaits() {
        return number % 7 < 2 && number < SimulatedQueues.MEETING;
    }

    boolean isTrial() {
        return number >= LimitTrial.FIRST;
    }

    char plan(int attempt) {
        return attempt <= plan.length() ? plan.charAt(attempt - 1) : 'o';
    }
}
