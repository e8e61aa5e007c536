package dev.orderly.boxoffice.web;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.shop.Approval;
import dev.orderly.boxoffice.shop.Checkout;
import dev.orderly.boxoffice.shop.Counter;
import dev.orderly.boxoffice.shop.Order;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import dev.orderly.boxoffice.web.Response.Page;
import dev.orderly.boxoffice.web.Response.Redirect;
import dev.orderly.boxoffice.web.Response.WrongMethod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The routes: the page or action of each address. */
public final class Site implements AutoCloseable {
    private final Shop shop;
    private final Counter counter;
    private final Numbers numbers;
    private final Assets assets = new Assets();
    private final Rush rush;
    private final OrderPage orderPage;
    private final ScenesPage scenesPage;
    private final RoomPanel room = new RoomPanel();

    public Site(Orderly orderly, Shop shop, Counter counter, Numbers numbers) {
        this.shop = shop;
        this.counter = counter;
        this.numbers = numbers;
        this.rush = new Rush(shop, counter);
        this.orderPage = new OrderPage(orderly, shop, room);
        this.scenesPage = new ScenesPage(orderly, counter, new Lanes(shop, rush), room);
    }

    /** Shows the room and the dashboard of the server in front from now on. */
    public void behind(ServerInFront server) {
        room.behind(server);
    }

    /** Stops the crowd. */
    @Override
    public void close() {
        rush.close();
    }

    Response answer(Request request) {
        List<String> path = request.path();
        String first = path.isEmpty() ? "" : path.getFirst();
        return switch (first + "/" + path.size()) {
            case "/0" -> get(request, () -> SalePage.page(shop));
            case "tickets/2" -> shop.show(path.get(1)).map(show -> ticket(request, show))
                    .orElseGet(() -> Problems.notFound("There is no such show."));
            case "orders/1" -> get(request, () -> OrdersPage.page(shop, request.customer()));
            case "orders/2" ->
                withOrder(path.get(1), order -> get(request, () -> orderPage.page(order, request.customer())));
            case "orders/3" -> switch (path.get(2)) {
                case "address" -> withOrder(path.get(1), order -> post(request, () -> correct(request, order)));
                case "approval" -> withOrder(path.get(1), order -> post(request, () -> approve(request, order)));
                default -> Problems.notFound("Orders have no such page.");
            };
            case "behind-the-scenes/1" -> get(request, scenesPage::page);
            case "behind-the-scenes/2" -> scenes(request, path.get(1));
            default -> assets.find(String.join("/", path)).<Response>map(asset -> get(request, asset))
                    .orElseGet(() -> Problems.notFound("There is no such page."));
        };
    }

    private Response ticket(Request request, Show show) {
        return request.isPost() ? buy(request, show) : Response.ok(TicketPage.empty(shop, show, numbers.order()));
    }

    private Response buy(Request request, Show show) {
        TicketForm form = TicketForm.of(request);
        if (!form.problems().isEmpty()) {
            return new Page(422, TicketPage.page(shop, show, form));
        }
        if (shop.isFull()) {
            return Problems.busy();
        }
        Checkout checkout = form.checkout(show);
        // The "double click" button: the same order twice. It may come as two requests as well.
        for (int click = 0; click < form.clicks(); click++) {
            Order order = counter.take(checkout, request.customer());
            if (!order.customer().equals(request.customer())) {
                return Problems.conflict("This order number is taken. Open the form again for a new one.");
            }
        }
        return new Redirect("/orders/" + checkout.order());
    }

    private Response correct(Request request, Order order) {
        String mail = request.field("mail");
        if (!Checkout.isMail(mail)) {
            return new Page(422, orderPage.page(order, request.customer(), mail));
        }
        return counter.correct(order, mail)
                ? new Redirect("/orders/" + order.id())
                : Problems.conflict("The mail of this order is not a dead letter, or not any more.");
    }

    private Response approve(Request request, Order order) {
        return counter.answer(order, new Approval("yes".equals(request.field("answer"))))
                ? new Redirect("/orders/" + order.id())
                : Problems.conflict("This order waits for no approval, or not any more.");
    }

    private Response scenes(Request request, String action) {
        return switch (action) {
            case "rush" -> post(request, () -> {
                rush.start();
                return new Redirect("/behind-the-scenes#rush");
            });
            case "redrive" -> post(request, () -> {
                counter.redriveMails();
                return new Redirect("/behind-the-scenes#dead");
            });
            case "report" -> post(request, () -> {
                counter.report();
                return new Redirect("/behind-the-scenes#report");
            });
            case "hold", "auto", "admit" -> post(request, () -> room.operate(action)
                    ? new Redirect("/behind-the-scenes")
                    : Problems.conflict("The shop runs without a waiting room: start it with orderly demo."));
            default -> Problems.notFound("There is no such page.");
        };
    }

    private Response withOrder(String id, Function<Order, Response> answer) {
        Optional<Order> order = shop.order(id);
        return order.isPresent() ? answer.apply(order.get()) : Problems.notFound("There is no such order.");
    }

    private static Response get(Request request, Supplier<Html> page) {
        return request.isPost() ? new WrongMethod("GET, HEAD") : Response.ok(page.get());
    }

    private static Response get(Request request, Response answer) {
        return request.isPost() ? new WrongMethod("GET, HEAD") : answer;
    }

    private static Response post(Request request, Supplier<Response> action) {
        return request.isPost() ? action.get() : new WrongMethod("POST");
    }
}
