package io.entroq.simulator.client;

import io.entroq.simulator.call.Service;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.function.UnaryOperator;

/** A population with an unreliable network and the real state machine. */
final class ClientWorld {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long NS_PER_SECOND = 1_000_000_000L;
  private static final int CLIENTS = 300;

  private final EventQueue events = new EventQueue();
  private final Trace trace = new Trace();
  private final MachineService service;
  private final Population population;
  private long tasksMax;
  private int parkedMax;

  ClientWorld(long seed, Faults faults) {
    this(seed, faults, CLIENTS);
  }

  ClientWorld(long seed, Faults faults, int clients) {
    this(seed, faults, clients, service -> service);
  }

  ClientWorld(long seed, Faults faults, int clients, UnaryOperator<Service> between) {
    SeededRandom random = new SeededRandom(seed);
    service = new MachineService(events, START_MS, seed);
    Network network =
        new Network(
            events,
            random.fork("network"),
            faults,
            NetworkConfig.ordinary(),
            between.apply(service));
    PopulationConfig config = new PopulationConfig(clients, 100, START_MS, 2_000);
    population = new Population(config, events, random.fork("clients"), faults, network, trace);
    population.start();
  }

  MachineService service() {
    return service;
  }

  Population population() {
    return population;
  }

  Trace trace() {
    return trace;
  }

  long tasksMax() {
    return tasksMax;
  }

  int parkedMax() {
    return parkedMax;
  }

  void run(long seconds) {
    long untilNs = events.nowNs() + seconds * NS_PER_SECOND;
    while (events.nextNs() <= untilNs) {
      events.step();
      tasksMax = Math.max(tasksMax, service.machine().taskCount());
      parkedMax = Math.max(parkedMax, service.machine().parkedCount());
    }
  }
}
