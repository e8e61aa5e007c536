package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.user.job.EventsJson;
import dev.orderly.job.JobId;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The link that sends an event to a job, for its worker. */
@Doc(name = "EventLink")
public record EventLinkJson(JobId job, EventsJson.Event event,
        @Doc("A secret: who has it sends the event, without a key, until the wait is over. Missing once the event has"
                + " come.") @OmitNull @Nullable URI url) {}
