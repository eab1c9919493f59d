package io.entroq.simulator.client;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.ClientCounters;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * The clients of a world. They send requests at a steady rate, and throw a {@link
 * io.entroq.simulator.check.Violation} from the event in which one of them finds it. One thread.
 */
public final class Population implements EventQueue.Event {
  private static final long NS_PER_SECOND = 1_000_000_000L;

  /** One in so many worlds has policies. */
  private static final int POLICIES_ONE_IN = 3;

  /** One in so many worlds has pools and topics, with or without other policies. */
  private static final int POOLS_ONE_IN = 3;

  /** Two clients act per event, which halves the number of events. */
  private static final int TURNS = 2;

  /** The most requests that are made up for after an idle time. */
  private static final long BACKLOG_MAX = 100;

  /** Every client repeats unanswered requests within this time. */
  private static final long ANSWER_NS = 30 * NS_PER_SECOND;

  private final ClientContext context;
  private final SeededRandom random;
  private final IdlePool producers = new IdlePool();
  private final IdlePool workers = new IdlePool();
  private final IdlePool visitors = new IdlePool();
  private final IdlePool sweepers = new IdlePool();
  private final IdlePool ruleBreakers = new IdlePool();
  private final IdlePool docs = new IdlePool();
  private final IdlePool policyUsers = new IdlePool();
  private final IdlePool poolUsers = new IdlePool();

  /** With policies, the ledger follows some choices of an engine that it knows otherwise. */
  private final boolean hasPolicies;

  private final boolean hasPools;

  private final List<Actor> actors = new ArrayList<>();
  private final long gapNs;
  private long credit;
  private long seenRequests;
  private boolean isStopped;

  /**
   * Clients that have not started.
   *
   * @param trace records every request and every reply
   */
  public Population(
      PopulationConfig config,
      EventQueue events,
      SeededRandom random,
      Faults faults,
      Network network,
      Trace trace) {
    this.context = new ClientContext(config, events, random, faults, network, trace);
    this.random = random.fork("turns");
    this.hasPolicies = config.mayHavePolicies() && random.fork("policies").oneIn(POLICIES_ONE_IN);
    this.hasPools = config.mayHavePolicies() && random.fork("pool").oneIn(POOLS_ONE_IN);
    this.gapNs = TURNS * NS_PER_SECOND / config.requestsPerSecond();
    for (int i = 0; i < config.clients(); i++) {
      add(i, random.fork("client", i));
    }
  }

  /**
   * Of 32 clients, 6 insert tasks, 15 work, 5 use docs, and 6 do something else. In worlds with
   * policies, 2 use these; in worlds with pools and topics, 4 use those.
   */
  private void add(int index, SeededRandom own) {
    boolean isIdentified = !own.oneIn(4);
    boolean isV0 = own.oneIn(10);
    if (hasPolicies && index % 16 == 13) {
      join(new PolicyUser(context, own, index, QueueNames.RULED), policyUsers);
      return;
    }
    if (hasPools && (index % 16 == 6 || index % 16 == 12)) {
      join(new PoolUser(context, own, index), poolUsers);
      return;
    }
    switch (index % 32) {
      case 0, 5, 10, 15, 20, 25 ->
          join(new Producer(context, own, index, isIdentified, isV0), producers);
      case 3, 13, 23 -> join(new QueueVisitor(context, own, index, isIdentified, isV0), visitors);
      case 2 -> join(new Sweeper(context, own, index, isIdentified, isV0), sweepers);
      case 4 -> join(new RuleBreaker(context, own, index), ruleBreakers);
      case 7, 17 -> join(new DocWriter(context, own, index, isIdentified), docs);
      case 9, 27 -> join(new DocHolder(context, own, index, isIdentified), docs);
      case 19 -> join(new DocReader(context, own, index), docs);
      case 14 -> join(new IdReuser(context, own, index), ruleBreakers);
      default -> join(new ManualWorker(context, own, index, isIdentified, isV0), workers);
    }
  }

  private void join(Actor actor, IdlePool pool) {
    actors.add(actor);
    actor.join(pool);
  }

  public void start() {
    isStopped = false;
    context.events.in(gapNs, this);
  }

  /** Starts nothing new; open work ends. */
  public void stop() {
    isStopped = true;
    for (Actor actor : actors) {
      actor.caller().cancelWaiting();
    }
  }

  /** Whether no client has open work; some time after {@link #stop}. */
  public boolean isAtRest() {
    return actors.stream().allMatch(Actor::isAtRest);
  }

  /**
   * Fails unless all requests are answered or refused; some time after {@link #stop}.
   *
   * @throws io.entroq.simulator.check.Violation naming the client
   */
  public void requireAnswered() {
    long sinceNs = context.events.nowNs() - ANSWER_NS;
    for (Actor actor : actors) {
      int unanswered = actor.caller().unanswered(sinceNs);
      if (unanswered > 0) {
        throw Invariant.ALL_ANSWERED.broken(actor, "an answer to all", unanswered + " without");
      }
    }
  }

  /**
   * Fails unless no client has open work.
   *
   * @throws io.entroq.simulator.check.Violation naming the client
   */
  public void requireAtRest() {
    for (Actor actor : actors) {
      if (!actor.isAtRest()) {
        throw Invariant.ALL_ANSWERED.broken(
            actor, "no open requests", actor.caller().underWay() + " requests");
      }
    }
  }

  @Override
  public void happen() {
    if (isStopped) {
      return;
    }
    credit = Math.min(credit + TURNS, BACKLOG_MAX);
    spend();
    for (int tries = 0; credit > 0 && tries < 2 * TURNS; tries++) {
      IdlePool pool = next();
      if (!pool.isEmpty()) {
        pool.any(random).step();
        spend();
      }
    }
    context.events.in(gapNs / 2 + random.between(0, gapNs), this);
  }

  /** Deducts the requests that were sent since. */
  private void spend() {
    long requests = context.counters.requests();
    credit -= requests - seenRequests;
    seenRequests = requests;
  }

  private IdlePool next() {
    int which = random.below(1_000);
    if (context.target.isDraining()) {
      return which < 200 ? sweepers : workers;
    }
    if (which < 20) {
      return ruleBreakers;
    }
    if (which < 60) {
      return visitors;
    }
    if (which < 70) {
      return sweepers;
    }
    if (which < 150) {
      return docs;
    }
    if (hasPolicies && which < 300) {
      return policyUsers;
    }
    if (hasPools && which >= 850) {
      return poolUsers;
    }
    int producing = context.target.producingPerMille(context.counters.openTasks());
    return random.permille(producing) || workers.isEmpty() ? producers : workers;
  }

  public ClientCounters stats() {
    return context.counters;
  }

  /**
   * An engine was opened after another one: undelivered claims were given back and waiting claims
   * cancelled.
   */
  public void onEngineOpened() {
    context.opened();
  }

  /**
   * Answered requests are lost, as the durability permits, so the clients' knowledge no longer
   * holds.
   */
  public void onLoss() {
    context.lost();
  }
}
