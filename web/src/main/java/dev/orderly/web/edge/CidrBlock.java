package dev.orderly.web.edge;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A block of addresses, such as {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address. An IPv4 address written
 * as IPv6 counts as IPv4.
 *
 * @param bits the length of the prefix
 */
public record CidrBlock(InetAddress network, int bits) {
    public CidrBlock {
        Objects.requireNonNull(network, "network");
    }

    /** @throws IllegalArgumentException naming the text, the rule and the remedy */
    public static CidrBlock parse(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        InetAddress network = literal(literal).orElseThrow(() -> wrong(text, "does not start with a literal address"));
        int width = network.getAddress().length * 8;
        int bits;
        try {
            bits = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1));
        } catch (NumberFormatException _) {
            throw wrong(text, "has no number after its slash");
        }
        if (bits < 0 || bits > width) {
            throw wrong(text, "has a number that is not 0 to " + width);
        }
        if (!Arrays.equals(prefix(network, bits), network.getAddress())) {
            throw wrong(text, "has bits set after the first " + bits);
        }
        return new CidrBlock(network, bits);
    }

    public boolean contains(InetAddress address) {
        return address.getAddress().length == network.getAddress().length
                && Arrays.equals(prefix(address, bits), network.getAddress());
    }

    /** Parses a literal address; makes no name lookup. */
    public static Optional<InetAddress> literal(String text) {
        int zone = text.indexOf('%');
        try {
            return Optional.of(InetAddress.ofLiteral(zone < 0 ? text : text.substring(0, zone)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The address with all bits after the prefix set to zero. */
    static byte[] prefix(InetAddress address, int bits) {
        byte[] octets = address.getAddress();
        for (int i = 0; i < octets.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            octets[i] &= (byte) (0xFF00 >> kept);
        }
        return octets;
    }

    private static IllegalArgumentException wrong(String text, String rule) {
        return new IllegalArgumentException("Address block " + text + " " + rule
                + ": use the form 10.0.0.0/8, 2001:db8::/32 or 192.0.2.7");
    }
}
