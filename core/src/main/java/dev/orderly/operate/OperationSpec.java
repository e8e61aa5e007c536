package dev.orderly.operate;

import dev.orderly.access.Role;

/** The table of operations: everything that changes the system by the hand of an operator, one line each. */
public enum OperationSpec {
    PAUSE("pause", "POST", "/queues/{queue}/pause", Role.OPERATOR),
    RESUME("resume", "POST", "/queues/{queue}/resume", Role.OPERATOR),
    REDRIVE("redrive", "POST", "/queues/{queue}/redrive", Role.OPERATOR),
    SET_QUEUE("queueSettings", "PATCH", "/queues/{queue}", Role.OPERATOR),
    FORGET_QUEUE("forgetQueue", "DELETE", "/queues/{queue}", Role.OPERATOR),
    CANCEL("cancel", "DELETE", "/jobs/{id}", Role.OPERATOR),
    RUN_NOW("runNow", "POST", "/jobs/{id}/run-now", Role.OPERATOR),
    REDRIVE_JOB("redriveJob", "POST", "/jobs/{id}/redrive", Role.OPERATOR),
    PUSH_AGAIN("pushAgain", "POST", "/jobs/{id}/push-again", Role.OPERATOR),
    REVEAL("reveal", "POST", "/jobs/{id}/reveal", Role.OPERATOR),
    /** Of a person, who sees masked values; what workers claim is in no audit log. */
    CLAIM("claim", "POST", "/queues/{queue}/claims", Role.OPERATOR),
    BULK("bulk", "POST", "/bulk", Role.OPERATOR),
    STOP_BULK("stopBulk", "DELETE", "/bulk/{operation}", Role.OPERATOR),
    LIMIT_ROOM("limitRoom", "PATCH", "/rooms/{room}", Role.OPERATOR),
    ADMIT("admit", "POST", "/rooms/{room}/admit", Role.OPERATOR),
    ROOM_MODE("roomMode", "POST", "/rooms/{room}/mode", Role.OPERATOR),
    ROOM_MESSAGE("roomMessage", "POST", "/rooms/{room}/message", Role.OPERATOR),
    ROOM_EPOCH("roomEpoch", "POST", "/rooms/{room}/epoch", Role.OPERATOR),
    REVOKE_VISITOR("revokeVisitor", "POST", "/rooms/{room}/revoke", Role.OPERATOR),
    RUN_SCHEDULE("runSchedule", "POST", "/schedules/{schedule}/run", Role.OPERATOR),
    PAUSE_SCHEDULE("pauseSchedule", "POST", "/schedules/{schedule}/pause", Role.OPERATOR),
    RESUME_SCHEDULE("resumeSchedule", "POST", "/schedules/{schedule}/resume", Role.OPERATOR),
    FORGET_SCHEDULE("forgetSchedule", "DELETE", "/schedules/{schedule}", Role.OPERATOR),
    DRAIN_NODE("drainNode", "POST", "/nodes/{node}/drain", Role.OPERATOR),
    RESUME_NODE("resumeNode", "POST", "/nodes/{node}/resume", Role.OPERATOR),
    CREATE_TOKEN("createToken", "POST", "/tokens", Role.ADMIN),
    REVOKE_TOKEN("revokeToken", "DELETE", "/tokens/{name}", Role.ADMIN),
    CREATE_LOGIN_LINK("createLoginLink", "POST", "/login-links", Role.VIEWER),
    BEGIN_BACKUP("beginBackup", "POST", "/store/backup", Role.ADMIN),
    RELOAD_CONFIG("reloadConfig", "POST", "/config/reload", Role.ADMIN);

    private final String id;
    private final String method;
    private final String path;
    private final Role least;

    OperationSpec(String id, String method, String path, Role least) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.least = least;
    }

    /** The id in the OpenAPI document and in the audit log. */
    public String id() {
        return id;
    }

    /** The method of the API. */
    public String method() {
        return method;
    }

    /** The path below the base of the API. */
    public String path() {
        return path;
    }

    /** The least role that the operation needs. */
    public Role least() {
        return least;
    }
}
