package dev.orderly.testkit.jobsim;

/**
 * What a job does, as its payload says.
 *
 * @param number unique in a run
 * @param millis how long an attempt takes
 * @param plan a letter for each attempt: o done, f failed, d unprocessable, l failed with a delay of its own, s
 *     snoozed, i done, and takes no notice of interrupts (a worker elsewhere never reports), m meets others, t done in
 *     the time that it says; further attempts are done
 * @param batch the number of the batch that it is a member of; 0 for none
 */
record Work(int number, int millis, String plan, int batch) {
    /** The plan of a report that the attempt waits for the event of its job. */
    static final char AWAITS = 'a';

    /** In the numbers of each hundred, those of the members that a member has pushed begin here. */
    private static final int CHILDREN = 20;
    /** Attempts of a member that push one: the children of two members in a hundred have numbers of their own. */
    private static final int CHILDREN_MOST = 40;

    Work(int number, int millis, String plan) {
        this(number, millis, plan, 0);
    }

    static Work parse(String payload) {
        String[] parts = payload.split(":", -1);
        return new Work(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2], Integer.parseInt(parts[3]));
    }

    String payload() {
        return number + ":" + millis + ":" + plan + ":" + batch;
    }

    /** Whether its attempts ask for an event first. */
    boolean awaits() {
        return number % 7 < 2 && number < SimulatedQueues.MEETING;
    }

    /** Whether its attempts do a step. */
    boolean hasStep() {
        return number % 3 == 0;
    }

    boolean isMember() {
        return batch > 0;
    }

    /** Whether an attempt pushes a further member. */
    boolean hasChild(int attempt) {
        int place = number % 100;
        return isMember() && (place == 2 || place == 10) && attempt < CHILDREN_MOST;
    }

    /** The member that an attempt pushes. */
    Work child(int attempt) {
        int place = number % 100;
        return new Work(number - place + CHILDREN + (place == 2 ? 0 : CHILDREN_MOST) + attempt, millis / 2,
                place == 2 ? "f" : "", batch);
    }

    /** The queue of the members that it pushes. */
    String queueOfChildren() {
        return SimulatedQueues.NAMES.get(number / 100 % SimulatedQueues.NAMES.size());
    }

    boolean isTrial() {
        return number >= LimitTrial.FIRST;
    }

    char plan(int attempt) {
        return attempt <= plan.length() ? plan.charAt(attempt - 1) : 'o';
    }
}
