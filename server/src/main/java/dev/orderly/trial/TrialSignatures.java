package dev.orderly.trial;

import com.sun.net.httpserver.Headers;
import dev.orderly.web.webhook.WebhookSecret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The check that a request to the handler is from a node of the cluster, as Standard Webhooks defines it.
 *
 * @param secrets of the cluster; without any, each request counts as signed
 */
public record TrialSignatures(List<WebhookSecret> secrets) {
    public TrialSignatures {
        secrets = List.copyOf(secrets);
    }

    public boolean isChecked() {
        return !secrets.isEmpty();
    }

    boolean isSigned(Headers headers, byte[] body) {
        byte[] start = (headers.getFirst("webhook-id") + "." + headers.getFirst("webhook-timestamp") + ".")
                .getBytes(StandardCharsets.UTF_8);
        List<byte[]> given = Arrays.stream(String.valueOf(headers.getFirst("webhook-signature")).split(" "))
                .map(each -> each.getBytes(StandardCharsets.UTF_8)).toList();
        return !isChecked() || secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(secret.mac(start, body)))
                .map(right -> right.getBytes(StandardCharsets.UTF_8))
                .anyMatch(right -> given.stream().anyMatch(each -> MessageDigest.isEqual(each, right)));
    }
}
