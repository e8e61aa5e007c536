package dev.orderly.job.store;

import dev.orderly.job.NodeId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A value that a node declares for all nodes, such as the timing of a schedule or the effect of a dead letter on its
 * group. A store keeps one value and the node whose declaration it is. The declaration counts for as long as that node
 * is alive: afterwards any live node replaces it.
 *
 * @param value what the node declares
 * @param node the declaring node
 * @param anew whether this is the first declaration of the node, which also replaces the declaration of a live node;
 *     otherwise the node repeats what it has declared before
 */
public record Declared<T>(T value, NodeId node, boolean anew) {
    /** The first declaration of a node. */
    public static <T> Declared<T> anew(T value, NodeId node) {
        return new Declared<>(value, node, true);
    }

    /** A declaration that a node repeats. */
    public static <T> Declared<T> again(T value, NodeId node) {
        return new Declared<>(value, node, false);
    }

    /**
     * Whether this declaration replaces the stored one.
     *
     * @param declarer the node of the stored declaration; null if none is known
     * @param alive whether a node sends heartbeats and was not declared dead
     */
    public boolean replaces(@Nullable NodeId declarer, Predicate<NodeId> alive) {
        return anew || (alive.test(node) && (declarer == null || declarer.equals(node) || !alive.test(declarer)));
    }
}
