package dev.orderly.web.room.log;

import dev.orderly.Internal;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The form in which the visitor log shows addresses. */
@Internal(to = "dev.orderly")
public sealed interface LoggedAddress {
    String of(InetAddress address);

    /** The whole address. */
    record Whole() implements LoggedAddress {
        @Override
        public String of(InetAddress address) {
            return address.getHostAddress();
        }
    }

    /** The network: the first 24 bits of an IPv4 address, the first 48 bits of an IPv6 address; the rest is zero. */
    record Shortened() implements LoggedAddress {
        @Override
        public String of(InetAddress address) {
            byte[] bytes = address.getAddress();
            Arrays.fill(bytes, address instanceof Inet4Address ? 3 : 6, bytes.length, (byte) 0);
            try {
                return InetAddress.getByAddress(bytes).getHostAddress();
            } catch (UnknownHostException e) {
                throw new IllegalStateException("An address of an unknown length: " + address, e);
            }
        }
    }

    /**
     * A keyed hash: equal for equal addresses, and without the key no address can be tried. The first 96 bits of
     * HMAC-SHA256, base64url.
     */
    final class Hashed implements LoggedAddress {
        private static final String ALGORITHM = "HmacSHA256";
        private static final int BYTES = 12;

        private final SecretKeySpec key;

        public Hashed(byte[] key) {
            Objects.requireNonNull(key, "key");
            this.key = new SecretKeySpec(key, ALGORITHM);
        }

        @Override
        public String of(InetAddress address) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                byte[] hash = Arrays.copyOf(mac.doFinal(address.getAddress()), BYTES);
                return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
            }
        }
    }
}
