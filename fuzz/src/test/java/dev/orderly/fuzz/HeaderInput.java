package dev.orderly.fuzz;

import dev.orderly.http.intake.MediaType;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.Authority;
import dev.orderly.web.header.CookieScan;
import dev.orderly.web.header.LanguageChoice;
import dev.orderly.web.message.FormFields;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The value of a header, read as each kind of header that visitors and proxies send. */
final class HeaderInput {
    private static final TrustedProxies PROXIES = TrustedProxies.of("10.0.0.0/8", "fd00::/8");
    private static final LanguageChoice LANGUAGES = new LanguageChoice(List.of("en", "de", "pt-BR", "zh-Hant"));

    private HeaderInput() {}

    static void run(byte[] input) throws Exception {
        String value = new String(input, StandardCharsets.ISO_8859_1);
        cookies(value);
        for (String name : List.of("X-Forwarded-For", "Forwarded")) {
            RequestHead head = head(new HeaderList().add(name, value), "10.1.2.3");
            ClientAddress client = ClientAddress.of(head, PROXIES);
            client.key();
            client.networkKey();
            ClientAddress.chain(head);
            if (!ClientAddress.of(head(new HeaderList().add(name, value), "192.0.2.7"), PROXIES).key()
                    .equals(ClientAddress.of(head(new HeaderList(), "192.0.2.7"), PROXIES).key())) {
                throw new AssertionError("A stranger chooses its address by " + name);
            }
        }
        Authority.parse(value).ifPresent(authority -> {
            if (!Authority.parse(authority.text()).filter(authority::equals).isPresent()) {
                throw new AssertionError("Another host again: " + authority);
            }
        });
        if (!List.of("en", "de", "pt-BR", "zh-Hant").contains(LANGUAGES.best(List.of(value)))) {
            throw new AssertionError("A language that is not offered");
        }
        LanguageChoice.wanted(List.of(value, value));
        Refusal.orValue(() -> MediaType.parse(value));
        Refusal.orValue(() -> CidrBlock.parse(value));
        Refusal.orValue(() -> FormFields.ofQuery(value));
        RequestHead form = head(new HeaderList().add("Content-Type", "application/x-www-form-urlencoded"), "192.0.2.7");
        Refusal.orValue(() -> FormFields.ofForm(form, input));
    }

    private static void cookies(String value) {
        CookieScan cookies = new CookieScan(value);
        int end = 0;
        while (cookies.next()) {
            if (cookies.start() < end || cookies.end() < cookies.start() || cookies.end() > value.length()) {
                throw new AssertionError("A cookie from " + cookies.start() + " to " + cookies.end() + " after " + end);
            }
            end = cookies.end();
            if (cookies.isNamed("orderly_t_sale") && cookies.value().contains(";")) {
                throw new AssertionError("A cookie with the next one: " + cookies.value());
            }
        }
    }

    private static RequestHead head(HeaderList headers, String peer) {
        return new RequestHead("GET", "/", null, headers, peer, Map.of());
    }
}
