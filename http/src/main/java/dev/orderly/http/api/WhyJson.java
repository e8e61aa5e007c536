package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.store.VisitorRecord;
import tools.jackson.databind.node.ObjectNode;

/** What keeps a job or a visitor, as JSON. */
final class WhyJson {
    private WhyJson() {}

    static ObjectNode of(JobDiagnosis why) {
        return JsonText.object().put("job", why.job().toString()).put("cause", RoomStateJson.lower(why.cause()))
                .put("sentence", why.sentence()).put("remedy", why.remedy())
                .put("blocker", why.blocker() == null ? null : why.blocker().toString()).put("ahead", why.ahead())
                .put("at", why.at() == null ? null : why.at().toString());
    }

    static ObjectNode of(RoomName room, VisitorDiagnosis why) {
        VisitorRecord stored = why.history().stored();
        VisitorRecord.LivePass pass = stored.pass();
        ObjectNode history = JsonText.object().put("joined", JsonText.text(why.history().joined()))
                .put("visitor", JsonText.text(why.history().visitor()))
                .put("passUntil", pass == null ? null : JsonText.text(pass.until()))
                .put("passTaken", pass == null ? null : Boolean.valueOf(pass.taken()))
                .put("voidUntil", JsonText.text(stored.voidUntil())).put("movedTo", JsonText.text(stored.movedTo()));
        ObjectNode json = JsonText.object().put("room", room.value()).put("cause", RoomStateJson.lower(why.cause()))
                .put("sentence", why.sentence()).put("remedy", why.remedy()).put("place", why.place())
                .put("ahead", why.ahead()).put("presentUntil", JsonText.text(why.presence().until()))
                .put("connected", why.presence().connected()).put("gate", why.presence().gate());
        return JsonText.unreachable(json.set("history", history), why.unreachable());
    }
}
