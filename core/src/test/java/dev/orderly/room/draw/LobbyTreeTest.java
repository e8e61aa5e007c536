package dev.orderly.room.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.VisitorId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree over the tickets of a lobby. */
class LobbyTreeTest {
    private static final int LEAF = 32;

    private static byte[] leaves(int count) {
        byte[] leaves = new byte[count * LEAF];
        new Random(count).nextBytes(leaves);
        return leaves;
    }

    private static byte[] page(byte[] leaves, long index) {
        int from = (int) (index / LobbyTree.PAGE) * LobbyTree.PAGE * LEAF;
        return Arrays.copyOfRange(leaves, from, Math.min(leaves.length, from + LobbyTree.PAGE * LEAF));
    }

    private static LobbyTree tree(byte[] leaves) {
        LobbyTree tree = new LobbyTree();
        for (int at = 0; at < leaves.length; at += LobbyTree.PAGE * LEAF) {
            tree.add(page(leaves, at / LEAF));
        }
        return tree;
    }

    private static String leaf(byte[] leaves, int index) {
        int at = index * LEAF;
        return LobbyTree.leaf(VisitorId.of(Arrays.copyOfRange(leaves, at, at + LEAF / 2)),
                HexFormat.of().formatHex(leaves, at + LEAF / 2, at + LEAF));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 1_023, 1_024, 1_025, 2_049, 5_000})
    void everyTicketHasAPathToTheRootAndNoOtherTicketHasIt(int count) {
        byte[] leaves = leaves(count);
        LobbyTree tree = tree(leaves);
        assertThat(tree.count()).isEqualTo(count);
        for (int index = 0; index < count; index += Math.max(1, count / 97)) {
            List<String> path = tree.path(index, page(leaves, index));
            assertThat(LobbyTree.root(index, count, leaf(leaves, index), path)).isEqualTo(tree.root());
            assertThat(LobbyTree.root(index, count, "00".repeat(LEAF), path)).isNotEqualTo(tree.root());
            if (count > 1) {
                assertThat(LobbyTree.root((index + 1) % count, count, leaf(leaves, index), path))
                        .isNotEqualTo(tree.root());
                assertThat(LobbyTree.root(index, count, leaf(leaves, index), path.subList(1, path.size())))
                        .isNotEqualTo(tree.root());
            }
        }
    }

    @Test
    void aTicketMoreOrLessOrAnotherNonceIsAnotherRoot() {
        byte[] leaves = leaves(100);
        String root = tree(leaves).root();
        assertThat(tree(Arrays.copyOf(leaves, 99 * LEAF)).root()).isNotEqualTo(root);
        assertThat(tree(Arrays.copyOf(leaves, 101 * LEAF)).root()).isNotEqualTo(root);
        leaves[50 * LEAF] ^= 1;
        assertThat(tree(leaves).root()).isNotEqualTo(root);
    }

    @Test
    void aLobbyOfNobodyHasTheHashOfNothingAsRoot() {
        assertThat(new LobbyTree().root())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void nothingFollowsAPageThatWasNotFull() {
        LobbyTree tree = tree(leaves(3));
        assertThatThrownBy(() -> tree.add(leaves(1))).hasMessageContaining("3 of 1024 leaves");
    }
}
