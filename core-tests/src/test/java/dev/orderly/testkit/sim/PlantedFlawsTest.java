package dev.orderly.testkit.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.UserJoin;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ForwardingRooms;
import dev.orderly.testkit.sim.Scenario.Crowd;
import dev.orderly.testkit.sim.Scenario.Faults;
import dev.orderly.testkit.sim.Scenario.Flaws;
import dev.orderly.testkit.sim.Scenario.Guests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation proves something only if it fails for a store that breaks a promise. */
@Tag("slow")
class PlantedFlawsTest {
    private static final Rate RATE = new Rate(20, Duration.ofSeconds(10));
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            Tier.invited("press", 20)));

    enum Planted {
        CAPACITY_OFF_BY_ONE("passes of") {
            @Override
            RoomStore store(RoomStore rooms) {
                return governed(rooms, limits -> new Limits(21, limits.rate()));
            }
        },
        OPENS_EARLY("before the opening") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(governed(rooms, _ -> new Limits(20, null))) {
                    @Override
                    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
                        return super.join(room, joins.stream().map(join -> new JoinRequest(join.visitor(),
                                join.presentUntil(), now.plusSeconds(60))).toList(), now);
                    }
                };
            }

            @Override
            Scenario scenario(long seed) {
                return super.scenario(seed).withOpening(Duration.ofSeconds(50));
            }
        },
        RATE_NOT_KEPT("beyond the rate") {
            @Override
            RoomStore store(RoomStore rooms) {
                return governed(rooms, limits -> new Limits(limits.capacity(), null));
            }
        },
        WINDOW_FROM_THE_FIRST_ADMISSION("beyond the rate") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new FixedWindow(governed(rooms, limits -> new Limits(limits.capacity(), null)));
            }
        },
        PRESENCE_IGNORED("admissions kept for those before") {
            @Override
            RoomStore store(RoomStore rooms) {
                return reporting(rooms, report -> new GateReport(report.gate(), report.epoch(),
                        report.covered(), List.of(), report.lease()));
            }
        },
        RENEWAL_NOT_CHARGED("passes of|admissions kept|revived where") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(rooms) {
                    @Override
                    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
                        return renewals.stream().map(_ -> true).toList();
                    }
                };
            }
        },
        PLACE_ISSUED_TWICE("was issued after") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(rooms) {
                    @Override
                    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
                        return rooms.join(room, joins, now).stream().map(PlantedFlawsTest::everyTenthAgain).toList();
                    }
                };
            }
        },
        CURSOR_PAST_THE_LENGTH("LINE: ") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(rooms) {
                    @Override
                    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
                        return rooms.govern(room, step, now).map(PlantedFlawsTest::runsAhead);
                    }
                };
            }
        },
        REVOKED_IN_VAIN("after it|revived where") {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(rooms) {
                    @Override
                    public void depart(RoomName room, List<Departure> departures, Instant now) {
                        // Forgets it.
                    }
                };
            }

            // A revoked visitor who has long left by the next request would show nothing, so stays are long here.
            @Override
            Scenario scenario(long seed) {
                return super.scenario(seed).withGates(3).withCrowd(new Crowd(100, Duration.ofSeconds(60), 0.3,
                        Duration.ofSeconds(60), Duration.ofSeconds(120)));
            }
        },
        LEASES_NOT_KEPT("with those who go on|goes on and|revived where") {
            @Override
            RoomStore store(RoomStore rooms) {
                return reporting(rooms, report -> new GateReport(report.gate(), report.epoch(),
                        report.covered(), report.presences()));
            }

            @Override
            Faults faults() {
                return Faults.CUT_OFF;
            }
        },
        PRESENCE_IN_TIERS_IGNORED("admissions kept for those before", guests(0)) {
            @Override
            RoomStore store(RoomStore rooms) {
                return reporting(rooms, report -> new GateReport(report.gate(), report.epoch(), report.drawn(),
                        report.covered(), report.presences().stream().filter(each -> Tiers.line(each.place()) == 0)
                                .toList(),
                        report.lease(), report.tiers()));
            }
        },
        USERS_HAVE_SEVERAL_PLACES("A user of place \\d+ got place", guests(2)) {
            @Override
            RoomStore store(RoomStore rooms) {
                return joining(rooms, join -> new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil(),
                        join.leaf(), join.tier(), join.invitation()));
            }
        },
        USERS_LOCKED_OUT_AFTER_THEIR_STAY("Never got in", guests(3)) {
            @Override
            RoomStore store(RoomStore rooms) {
                return new RemembersUsers(rooms);
            }

            @Override
            Scenario scenario(long seed) {
                return super.scenario(seed).withCrowd(new Crowd(60, Duration.ofSeconds(30), 0.3,
                        Duration.ofSeconds(60), Duration.ofSeconds(5)));
            }
        },
        AN_INVITATION_GIVES_TWO_PLACES("are by one invitation", guests(0)) {
            @Override
            RoomStore store(RoomStore rooms) {
                AtomicInteger used = new AtomicInteger();
                return redeeming(rooms, use -> new InvitationUse(new InvitationId(1, used.incrementAndGet()),
                        use.epoch(), use.until(), use.former()));
            }
        },
        REVOKED_INVITATIONS_COUNT("A revoked invitation gave", guests(0)) {
            @Override
            RoomStore store(RoomStore rooms) {
                return new ForwardingRooms(rooms) {
                    @Override
                    public void depart(RoomName room, List<Departure> departures, Instant now) {
                        super.depart(room, departures.stream().filter(each -> !each.visitor()
                                .equals(InvitationId.revocation(each.visitor().high()))).toList(), now);
                    }
                };
            }
        },
        INVITATIONS_MOVE_BACKWARDS("was sooner than", guests(0)) {
            @Override
            RoomStore store(RoomStore rooms) {
                return redeeming(rooms, use -> new InvitationUse(use.invitation(), use.epoch(), use.until(), null));
            }
        },
        STALE_GATE_LETS_IN("on its own account") {
            @Override
            RoomStore gate(RoomStore rooms) {
                return new LetsInByItself(rooms, false);
            }
        },
        STORE_AWAY_LETS_IN("on its own account|by itself since|beyond the rate|passes of|admissions kept") {
            @Override
            RoomStore gate(RoomStore rooms) {
                return new LetsInByItself(rooms, true);
            }
        };

        final String whistle;
        @SuppressWarnings("ImmutableEnumChecker") // a record of two numbers
        private final Guests guests;

        Planted(String whistle) {
            this(whistle, Guests.NONE);
        }

        Planted(String whistle, Guests guests) {
            this.whistle = whistle;
            this.guests = guests;
        }

        RoomStore store(RoomStore rooms) {
            return rooms;
        }

        RoomStore gate(RoomStore rooms) {
            return rooms;
        }

        Faults faults() {
            return Faults.ALL;
        }

        Scenario scenario(long seed) {
            Limits limits = whistle.contains("rate") ? new Limits(null, RATE) : new Limits(20, null);
            return Scenario.small(seed, limits).withFaults(faults()).withFlaws(new Flaws(this::store, this::gate))
                    .withTiers(guests.equals(Guests.NONE) ? Tiers.NONE : TIERS).withGuests(guests);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedFlawIsFound(Planted planted) {
        assertThatThrownBy(() -> {
            for (long seed = 1; seed <= 20; seed++) {
                RoomSimulation.run(planted.scenario(seed));
            }
        }).isInstanceOf(AssertionError.class).hasMessageFindingMatch(planted.whistle);
    }

    @Test
    void aGateThatCountsPresenceFromTheDecisionIsFound() {
        Flaws flaws = new Flaws(UnaryOperator.identity(), UnaryOperator.identity(), true);
        assertThatThrownBy(() -> {
            for (long seed = 1; seed <= 5; seed++) {
                RoomSimulation.run(RoomSimulationTest.stalled(seed).withFlaws(flaws));
            }
        }).isInstanceOf(BrokenPromise.class).hasMessageContaining("admissions kept for those before");
    }

    @Test
    void aFailureNamesItsSeedAndTheLastEvents() {
        Flaws flaws = new Flaws(Planted.CAPACITY_OFF_BY_ONE::store, UnaryOperator.identity());
        assertThatThrownBy(() -> RoomSimulation.run(Scenario.small(3, new Limits(20, null)).withFlaws(flaws)))
                .hasMessageContaining("Seed 3").hasMessageFindingMatch("  \\d+ ms: place \\d+ enters")
                .extracting(failure -> String.valueOf(failure.getMessage()).lines().count()).isEqualTo(32L);
    }

    private static RoomStore governed(RoomStore rooms, UnaryOperator<Limits> flaw) {
        return new ForwardingRooms(rooms) {
            @Override
            public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
                return rooms.govern(room, new GovernorStep(step.governor(), step.leaseUntil(),
                        flaw.apply(step.limits()), step.slowed(), step.door(), step.horizon(), step.forgetBefore()),
                        now);
            }
        };
    }

    /** Half of the visitors try invitations. */
    private static Guests guests(int devices) {
        return new Guests(devices, 0.5);
    }

    private static RoomStore joining(RoomStore rooms, UnaryOperator<JoinRequest> flaw) {
        return new ForwardingRooms(rooms) {
            @Override
            public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
                return rooms.join(room, joins.stream().map(flaw).toList(), now);
            }
        };
    }

    private static RoomStore redeeming(RoomStore rooms, UnaryOperator<InvitationUse> flaw) {
        return joining(rooms, join -> join.invitation() == null
                ? join
                : new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil(), join.leaf(), join.tier(),
                        flaw.apply(join.invitation()), join.user()));
    }

    private static RoomStore reporting(RoomStore rooms, UnaryOperator<GateReport> flaw) {
        return new ForwardingRooms(rooms) {
            @Override
            public RoomState sync(RoomName room, GateReport report, Instant now) {
                return rooms.sync(room, flaw.apply(report), now);
            }
        };
    }

    private static JoinResult everyTenthAgain(JoinResult result) {
        return result instanceof JoinResult.Placed(long epoch, long place, long ahead) && place % 10 == 0
                ? new JoinResult.Placed(epoch, place - 1, ahead)
                : result;
    }

    private static RoomState runsAhead(RoomState state) {
        RoomState.Line line = state.line();
        return new RoomState(state.room(), state.epoch(), state.mode(), state.message(),
                new RoomState.Line(line.length(), line.length() + 1, line.horizon(), line.crowded()), state.load(),
                state.pace(), state.limits(), state.slowed(), state.override(), state.voided(), state.moved(),
                state.at());
    }

    /** Keeps the first place of each user for ever. */
    private static final class RemembersUsers extends ForwardingRooms {
        private final Map<VisitorId, JoinResult.Shared> first = new HashMap<>();

        RemembersUsers(RoomStore rooms) {
            super(rooms);
        }

        @Override
        public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
            return joins.stream().map(join -> {
                UserJoin user = join.user();
                JoinResult.Shared known = user == null ? null : first.get(user.user());
                if (known != null) {
                    return known;
                }
                JoinResult result = super.join(room, List.of(join), now).getFirst();
                if (user != null && result.place() > 0 && !(result instanceof JoinResult.Shared)) {
                    first.put(user.user(), new JoinResult.Shared(result.epoch(), result.place(), join.visitor(), 0,
                            user.until()));
                }
                return result;
            }).toList();
        }
    }

    /** Counts from the first admission of each period instead of the last period before each admission. */
    private static final class FixedWindow extends ForwardingRooms {
        private Instant begin = Instant.EPOCH;
        private int count;

        FixedWindow(RoomStore rooms) {
            super(rooms);
        }

        @Override
        public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
            List<AdmissionResult> results = new ArrayList<>();
            for (AdmissionRequest request : requests) {
                if (!now.isBefore(begin.plus(RATE.period()))) {
                    begin = now;
                    count = 0;
                }
                AdmissionResult result = count >= RATE.admissions()
                        ? new AdmissionResult.Waits(true, 0)
                        : rooms.admit(room, List.of(request), now).getFirst();
                count += result instanceof AdmissionResult.Entered ? 1 : 0;
                results.add(result);
            }
            return results;
        }
    }

    /** Admits visitors from a cached state: always, or while the store is away. */
    private static final class LetsInByItself extends ForwardingRooms {
        private final boolean onlyAway;

        LetsInByItself(RoomStore rooms, boolean onlyAway) {
            super(rooms);
            this.onlyAway = onlyAway;
        }

        @Override
        public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
            try {
                List<AdmissionResult> results = rooms.admit(room, requests, now);
                return onlyAway
                        ? results
                        : results.stream()
                                .map(result -> result instanceof AdmissionResult.Waits(boolean called, _) && called
                                        ? new AdmissionResult.Entered(now.plusSeconds(30))
                                        : result)
                                .toList();
            } catch (StoreException e) {
                return requests.stream()
                        .<AdmissionResult>map(request -> new AdmissionResult.Entered(request.passUntil()))
                        .toList();
            }
        }
    }
}
