package dev.orderly.servlet.room;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;
import java.util.function.Consumer;

/** A pass in a session, which ends with it. Serializable, since containers move and keep sessions. */
record SessionPass(String room, String visitor) implements HttpSessionBindingListener, Serializable {
    /** The attribute of the application that ends a stay; absent once the application stops. */
    static final String ENDS = SessionPass.class.getName();

    /** Binds the pass of a visit to the session of its request, if there is one. The pass before it ends. */
    static void bind(HttpServletRequest request, RoomVisit visit) {
        HttpSession session = request.getSession(false);
        SessionPass pass = new SessionPass(visit.room(), visit.visitor());
        if (session != null && !pass.equals(session.getAttribute(name(pass)))) {
            session.setAttribute(name(pass), pass);
        }
    }

    private static String name(SessionPass pass) {
        return ENDS + "." + pass.room;
    }

    @Override
    @SuppressWarnings("unchecked") // only the filter sets the attribute
    public void valueUnbound(HttpSessionBindingEvent event) {
        Object ends = event.getSession().getServletContext().getAttribute(ENDS);
        if (ends instanceof Consumer<?> consumer) {
            ((Consumer<SessionPass>) consumer).accept(this);
        }
    }
}
