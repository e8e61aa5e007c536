package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.RoomChange;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.user.Authenticator;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Invitations as visitors and programs redeem them over HTTP. */
class RoomInvitationTest {
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            Tier.invited("press", 5)));
    private static final String FORM = "/.orderly/rooms/sale/invitation";
    private static final Pattern DEVICE = Pattern.compile("name=\"device\" value=\"([^\"]+)\"");

    /** Knows the user that a bearer token names. */
    private static final Authenticator USERS = new BearerUsers(BearerUsers::named);

    private final RoomNode node = RoomNode.with(
            RoomOptions.of(new Limits(1, new Rate(1, Duration.ofMinutes(1)))).withTiers(TIERS),
            room -> room.withUsers(USERS));

    @AfterEach
    void close() {
        node.close();
    }

    private HttpRequest.Builder json(String path) {
        return node.at(path).header("Accept", "application/json");
    }

    private HttpRequest.Builder html(String path) {
        return node.at(path).header("Accept", "text/html").header("Accept-Language", "en");
    }

    private void fill() {
        assertThat(new Guest(node).send(json("/tickets/a")).statusCode()).isEqualTo(200);
    }

    private String code() {
        return node.room().invite("press", 1, Duration.ofHours(1), null).codes().getFirst();
    }

    private String code(String user) {
        return node.room().invite("press", 1, Duration.ofHours(1), user).codes().getFirst();
    }

    private HttpResponse<String> program(Guest guest, String code) {
        return guest.send(json("/tickets/a").header("Orderly-Invitation", code));
    }

    private HttpResponse<String> send(Guest guest, String code, @Nullable String device) {
        String form = "code=" + URLEncoder.encode(code, StandardCharsets.UTF_8) + "&back=%2Ftickets%2Fa"
                + (device == null ? "" : "&device=" + device);
        return guest.send(html(FORM).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private static String device(String page) {
        Matcher found = DEVICE.matcher(page);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void theFormOfAVisitorWithoutScriptGivesAPlaceInTheLineOfTheTierAndGoesOnToThePage() {
        fill();
        for (int n = 0; n < 30; n++) {
            new Guest(node).send(json("/tickets/a"));
        }
        Guest guest = new Guest(node);
        String waiting = guest.send(html("/tickets/a")).body();
        assertThat(waiting).contains("<a href=\"" + FORM + "\">I have an invitation</a>", "Ticket no. 32<");
        HttpResponse<String> page = guest.send(html(FORM + "?back=%2Ftickets%2Fa"));
        assertThat(page.body()).contains("method=\"post\" action=\"" + FORM + "\"", "value=\"/tickets/a\"")
                .doesNotContain("http-equiv=\"refresh\"");
        HttpResponse<String> redeemed = send(guest, code(), device(page.body()));
        assertThat(redeemed.statusCode()).isEqualTo(303);
        assertThat(redeemed.headers().firstValue("Location")).hasValue("/tickets/a");
        assertThat(guest.send(html("/tickets/a")).body()).contains("Ticket no. 1<", "Your line: press.");
        assertThat(node.room().state().tiers().getLast().name()).isEqualTo("press");
    }

    @Test
    void theCodeOfALinkIsItsFragmentWhichNoServerGets() {
        assertThat(new Guest(node).send(html(FORM)).body()).contains("location.hash", "history.replaceState");
    }

    @Test
    void aProgramSendsTheCodeAsAHeaderAndTheOriginDoesNotGetIt() {
        fill();
        Guest guest = new Guest(node);
        assertThat(program(guest, code()).body()).contains("\"place\":1,\"tier\":\"press\"");
        assertThat(guest.send(json("/tickets/a")).body()).contains("\"place\":1,\"tier\":\"press\"");
        HttpResponse<String> ticket = new Guest(node).send(json("/.orderly/rooms/sale/ticket")
                .header("Orderly-Invitation", code()).POST(BodyPublishers.noBody()));
        assertThat(ticket.statusCode()).isEqualTo(201);
        assertThat(ticket.body()).contains("\"place\":2,\"tier\":\"press\"");
    }

    @Test
    void aUsedCodeIsSaidSoAndCostsNoPlace() {
        fill();
        String code = code();
        program(new Guest(node), code);
        Guest late = new Guest(node);
        late.send(json("/tickets/a"));
        HttpResponse<String> again = program(late, code);
        assertThat(again.statusCode()).isEqualTo(403);
        assertThat(again.body()).contains("urn:orderly:problem:invitation-refused", "\"reason\":\"used\"");
        assertThat(again.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(send(late, code, null).body()).contains("This invitation was used already.");
        assertThat(late.send(json("/tickets/a")).body()).contains("\"place\":2,\"tier\":null");
        assertThat(node.room().visits().refusals().total(RoomRefusals.Cause.TOKEN).count()).isEqualTo(2);
    }

    @Test
    void aFormThatIsSentAgainGetsThePlaceOfTheFirst() {
        fill();
        String code = code();
        String device = device(new Guest(node).send(html(FORM)).body());
        Guest lost = new Guest(node);
        assertThat(send(lost, code, device).statusCode()).isEqualTo(303);
        Guest again = new Guest(node);
        assertThat(send(again, code, device).statusCode()).isEqualTo(303);
        assertThat(again.send(json("/tickets/a")).body()).contains("\"place\":1,\"tier\":\"press\"");
        assertThat(node.room().invited(InvitationId.parse(series()).orElseThrow())).as("of another series").isZero();
    }

    private String series() {
        return node.room().invite("press", 1, Duration.ofHours(1), null).series();
    }

    @Test
    void aForgedAndAForeignCodeAreNotKnown() {
        fill();
        String code = code();
        String forged = (code.startsWith("A") ? "B" : "A") + code.substring(1);
        assertThat(program(new Guest(node), forged).body()).contains("\"reason\":\"unknown\"");
        assertThat(program(new Guest(node), "x".repeat(600)).body()).contains("\"reason\":\"unknown\"");
        assertThat(program(new Guest(node), "").body()).contains("\"reason\":\"unknown\"");
        assertThat(send(new Guest(node), "<script>", null).body()).contains("This code is not valid here.")
                .doesNotContain("value=\"<script>");
        node.room().change(node.room().options().withTiers(new Tiers(List.of(Tier.invited("partners", 5)))));
        assertThat(program(new Guest(node), code).body()).as("its tier is gone").contains("\"reason\":\"unknown\"");
    }

    @Test
    void anEndedARevokedAndACodeOfAnEarlierEpochAreSaidSo() {
        fill();
        String ended = node.room().invite("press", 1, Duration.ofMinutes(1), null).codes().getFirst();
        IssuedInvitations revoked = node.room().invite("press", 2, Duration.ofHours(1), null);
        node.rooms.revokeInvitations(RoomNode.SALE, InvitationId.parse(revoked.series()).orElseThrow());
        assertThat(program(new Guest(node), revoked.codes().getLast()).body()).contains("\"reason\":\"revoked\"");
        String before = code();
        node.pass(61);
        assertThat(program(new Guest(node), ended).body()).contains("\"reason\":\"ended\"");
        node.store.rooms().change(RoomNode.SALE, new RoomChange.NewEpoch(), node.time.now());
        node.pass(1);
        assertThat(program(new Guest(node), before).body()).contains("\"reason\":\"ended\"");
        assertThat(program(new Guest(node), code()).body()).contains("\"tier\":\"press\"");
    }

    @Test
    void aCodeForAUserIsGoodForThatUserAlone() {
        fill();
        String code = code("ann");
        assertThat(program(new Guest(node), code).body()).contains("\"reason\":\"other-user\"");
        assertThat(new Guest(node).send(json("/tickets/a").header("Orderly-Invitation", code)
                .header("Authorization", "Bearer bob")).body()).contains("\"reason\":\"other-user\"");
        assertThat(new Guest(node).send(json("/tickets/a").header("Orderly-Invitation", code)
                .header("Authorization", "Bearer ann")).body()).contains("\"place\":1,\"tier\":\"press\"");
    }

    @Test
    void aVisitorWhoEntersSoonerKeepsPlaceAndCode() {
        fill();
        Guest guest = new Guest(node);
        guest.send(json("/tickets/a"));
        node.pass(2);
        String code = code();
        assertThat(program(guest, code).body()).contains("\"reason\":\"sooner\"");
        assertThat(send(guest, code, null).body()).contains("You get in sooner");
        assertThat(guest.send(json("/tickets/a")).body()).contains("\"place\":2,\"tier\":null");
        assertThat(program(new Guest(node), code).body()).contains("\"tier\":\"press\"");
    }

    @Test
    void anAddressTriesTwentyWrongCodesAMinuteAndGoodOnesDoNotCount() {
        fill();
        for (int n = 0; n < 20; n++) {
            assertThat(program(new Guest(node), "wrong").body()).contains("\"reason\":\"unknown\"");
            if (n < 19) {
                assertThat(program(new Guest(node), code()).body()).contains("\"tier\":\"press\"");
            }
        }
        HttpResponse<String> more = program(new Guest(node), code());
        assertThat(more.statusCode()).isEqualTo(429);
        assertThat(more.headers().firstValue("Retry-After")).isPresent();
        node.pass(61);
        assertThat(program(new Guest(node), "wrong").body()).contains("\"reason\":\"unknown\"");
    }

    @Test
    void aVisitorInsideGoesOnAndTheCodeStaysGood() {
        Guest inside = new Guest(node);
        String code = code();
        assertThat(inside.send(json("/tickets/a")).statusCode()).isEqualTo(200);
        assertThat(program(inside, code).statusCode()).isEqualTo(200);
        assertThat(program(new Guest(node), code).body()).contains("\"tier\":\"press\"");
    }

    @Test
    void aFormOfAnotherSiteIsRefused() {
        fill();
        HttpResponse<String> answer = new Guest(node).send(html(FORM).header("Sec-Fetch-Site", "cross-site")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("code=" + code())));
        assertThat(answer.statusCode()).isEqualTo(403);
    }

    @Test
    void aRoomWithoutInvitationsHasNoPageForThem() {
        node.room().change(node.room().options().withTiers(Tiers.NONE));
        fill();
        assertThat(new Guest(node).send(html("/tickets/a")).body()).doesNotContain("invitation");
        assertThat(new Guest(node).send(html(FORM)).statusCode()).isEqualTo(404);
    }

    @Test
    void aProgramRepeatsARequestWithItsIdempotencyKeyAndGetsThePlaceOfTheFirst() {
        fill();
        String code = code();
        HttpRequest.Builder request = json("/tickets/a").header("Orderly-Invitation", code)
                .header("Idempotency-Key", "6c1f0a52");
        assertThat(new Guest(node).send(request).body()).contains("\"place\":1,\"tier\":\"press\"");
        assertThat(new Guest(node).send(request).body()).contains("\"place\":1,\"tier\":\"press\"");
        assertThat(program(new Guest(node), code).body()).contains("\"reason\":\"used\"");
    }

    @Test
    void theOriginGetsNoCodeOfARequestThatNoRoomGates() {
        Queue<String> got = new ConcurrentLinkedQueue<>();
        node.originDoes(exchange -> got.add(exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Orderly-Invitation")));
        for (String path : List.of("/", "/tickets/a", "/robots.txt")) {
            assertThat(new Guest(node).send(json(path).header("Orderly-Invitation", code())).statusCode()).as(path)
                    .isEqualTo(200);
        }
        assertThat(got).containsExactly("/ null", "/tickets/a null", "/robots.txt null");
    }

    @Test
    void theButtonTwiceKeepsThePlaceAndItsTicket() {
        fill();
        String code = code();
        Guest guest = new Guest(node);
        String device = device(guest.send(html(FORM)).body());
        assertThat(send(guest, code, device).statusCode()).isEqualTo(303);
        assertThat(send(guest, code, device).statusCode()).isEqualTo(303);
        assertThat(guest.send(json("/tickets/a")).body()).contains("\"place\":1,\"tier\":\"press\"");
    }

    @Test
    void formsOfAnyShapeAreAnsweredAndChangeNothing() {
        fill();
        String code = code();
        for (String form : List.of("", "&&&", "code", "=x", "code=%", "code=%ff%fe", "device=x&back=//evil.example",
                "code=%00&device=%00&back=%0d%0aSet-Cookie:x", "code=" + "x".repeat(3_000))) {
            HttpResponse<String> answer = new Guest(node).send(html(FORM)
                    .header("Content-Type", "application/x-www-form-urlencoded; charset=utf-16")
                    .POST(BodyPublishers.ofString(form)));
            assertThat(answer.statusCode()).as(form).isIn(400, 403, 422);
            assertThat(answer.body()).doesNotContain("evil.example");
        }
        HttpResponse<String> large = new Guest(node).send(html(FORM)
                .POST(BodyPublishers.ofString("code=" + code + "&x=" + "y".repeat(5_000))));
        assertThat(large.statusCode()).isEqualTo(413);
        HttpResponse<String> foreign = new Guest(node).send(html(FORM).header("Origin", "https://evil.example")
                .POST(BodyPublishers.ofString("code=" + code)));
        assertThat(foreign.statusCode()).isEqualTo(403);
        HttpResponse<String> head = new Guest(node).send(html(FORM).method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(new Guest(node).send(html(FORM + "/" + code)).statusCode()).isEqualTo(404);
        assertThat(program(new Guest(node), code).body()).contains("\"place\":1,\"tier\":\"press\"");
    }
}
