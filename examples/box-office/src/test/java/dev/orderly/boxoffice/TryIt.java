package dev.orderly.boxoffice;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.web.Sessions;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.io.IOException;

/** Opens the shop on the memory store, to view its pages during development. Ends at the first key. */
final class TryIt {
    private TryIt() {}

    public static void main(String[] args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        try (Orderly orderly = Orderly.open(new MemoryStore());
                BoxOffice shop = BoxOffice.start(orderly, port, Time.system(), Sessions.alone(Time.system()))) {
            orderly.start();
            System.out.println(BoxOffice.guide(shop.port(), 8081, "/"));
            var _ = System.in.read();
        }
    }
}
