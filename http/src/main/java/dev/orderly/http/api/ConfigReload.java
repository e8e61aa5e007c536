package dev.orderly.http.api;

import dev.orderly.about.ServerFacts;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.operate.OperationSpec;
import java.util.List;

/**
 * The configuration of the running server: reads it again, applies what can change while it runs, and tells the one in
 * force.
 */
@FunctionalInterface
public interface ConfigReload {
    /** For a server that has no configuration file. */
    ConfigReload NONE = () -> new Result.Refused(List.of("This server was started by a program, without a"
            + " configuration file: change its settings there"));

    /** Reads, checks and applies. Blocks on files and on the store. */
    Result reload();

    /** The operation that reads the configuration again; throws {@link NothingChangedException} if it is refused. */
    default Operation<Result.Applied> operation() {
        return Operation.of(OperationSpec.RELOAD_CONFIG, "configuration", null, () -> reload().applied(),
                Result.Applied::summary);
    }

    /** The configuration in force, and facts about the server. */
    default ServerFacts facts() {
        return ServerFacts.NONE;
    }

    /** A reload that was refused. */
    final class NothingChangedException extends OperationRefusedException {
        private static final long serialVersionUID = 1;

        private final transient Result.Refused refused;

        private NothingChangedException(Result.Refused refused) {
            super(Reason.CONFIG_INVALID, "Nothing was changed. " + String.join("\n", refused.problems()));
            this.refused = refused;
        }

        public Result.Refused refused() {
            return refused;
        }
    }

    /** The result of a reload. */
    sealed interface Result {
        /** @throws NothingChangedException if the reload was refused */
        default Applied applied() {
            return switch (this) {
                case Applied applied -> applied;
                case Refused refused -> throw new NothingChangedException(refused);
            };
        }

        /**
         * The configuration is valid; what can change while the server runs is in force.
         *
         * @param changed keys that differed and are in force now
         * @param restart keys that differ and are in force after a restart
         */
        record Applied(List<String> changed, List<String> restart) implements Result {
            public Applied {
                changed = List.copyOf(changed);
                restart = List.copyOf(restart);
            }

            /** One line for the audit log. */
            public String summary() {
                return "in force: " + changed + ", after a restart: " + restart;
            }
        }

        /**
         * The reload has failed; the configuration in force is the one from before.
         *
         * @param problems at least one, each with its remedy
         */
        record Refused(List<String> problems) implements Result {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }
}
