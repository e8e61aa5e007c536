package dev.orderly.testkit.contract;

import dev.orderly.job.QueueName;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import org.jspecify.annotations.Nullable;

/** A memory store that can refuse writes, with a planted bug in its check. */
final class BuggyWrites extends BuggedStore {
    private final WriteBug bug;
    private boolean refusing;
    private boolean passed;
    private boolean closed;
    private @Nullable StoreException failed;

    BuggyWrites(WriteBug bug) {
        super(new MemoryStore(), bug);
        this.bug = bug;
    }

    void refuse(boolean value) {
        refusing = value;
    }

    @Override
    public void checkWritable() {
        boolean blind = switch (bug) {
            case ONLY_READS -> !closed;
            case REMEMBERS_A_SUCCESS -> passed;
            case FORGETS_THAT_IT_IS_CLOSED -> closed;
            case REMEMBERS_A_FAILURE, LEAVES_A_MARK, NONE -> false;
        };
        if (blind) {
            return;
        }
        if (bug == WriteBug.REMEMBERS_A_FAILURE && failed != null) {
            throw failed;
        }
        if (refusing) {
            failed = new StoreException.Unavailable("Writes are refused", null);
            throw failed;
        }
        super.checkWritable();
        passed = true;
        if (bug == WriteBug.LEAVES_A_MARK) {
            store.jobs().pause(new QueueName("mark"), true);
        }
    }

    @Override
    public void close() {
        closed = true;
        super.close();
    }
}
