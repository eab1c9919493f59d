package io.entroq.simulator.network;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;

/**
 * Carries requests to a service and replies back to their clients. Each message has its own delay,
 * so messages overtake each other even without faults. One thread.
 */
public final class Network implements Service.ReplyEnd {
  private final EventQueue events;
  private final NetworkConfig config;
  private final Service service;
  private final SeededRandom requestDelay;
  private final SeededRandom replyDelay;
  private final NetworkFault requestLost;
  private final NetworkFault replyLost;
  private final NetworkFault requestDelayed;
  private final NetworkFault replyDelayed;
  private final NetworkFault requestDoubled;
  private final NetworkFault replyDoubled;
  private final NetworkFault cutOff;

  /** By client: until when the network drops its messages. */
  private long[] cutUntilNs = new long[16];

  /**
   * @param service where requests arrive
   */
  public Network(
      EventQueue events,
      SeededRandom random,
      Faults faults,
      NetworkConfig config,
      Service service) {
    this.events = events;
    this.config = config;
    this.service = service;
    requestDelay = random.fork("request-delay");
    replyDelay = random.fork("reply-delay");
    requestLost = new NetworkFault(FaultKind.REQUEST_LOST, config, random, faults);
    replyLost = new NetworkFault(FaultKind.REPLY_LOST, config, random, faults);
    requestDelayed = new NetworkFault(FaultKind.REQUEST_DELAYED, config, random, faults);
    replyDelayed = new NetworkFault(FaultKind.REPLY_DELAYED, config, random, faults);
    requestDoubled = new NetworkFault(FaultKind.REQUEST_DOUBLED, config, random, faults);
    replyDoubled = new NetworkFault(FaultKind.REPLY_DOUBLED, config, random, faults);
    cutOff = new NetworkFault(FaultKind.CLIENT_CUT_OFF, config, random, faults);
  }

  /**
   * A client sends a request, for the first time or again.
   *
   * @return how many copies are now in flight
   */
  public int send(Request request) {
    long usualNs = usualNs(requestDelay);
    if (cutOff.happens()) {
      cut(request.client(), cutOff.drawNs(config.cutOffNsMin(), config.cutOffNsMax()));
    }
    if (isCut(request.client()) || requestLost.happens()) {
      return 0;
    }
    events.in(delayNs(requestDelayed, usualNs), new Arrival(this, request));
    if (!requestDoubled.happens()) {
      return 1;
    }
    events.in(requestDoubled.drawNs(0, config.lateNsMax()), new Arrival(this, request));
    return 2;
  }

  @Override
  public void reply(Request request, Reply reply) {
    long usualNs = usualNs(replyDelay);
    if (isCut(request.client()) || replyLost.happens()) {
      return;
    }
    events.in(delayNs(replyDelayed, usualNs), new Return(this, request, reply));
    if (replyDoubled.happens()) {
      events.in(replyDoubled.drawNs(0, config.lateNsMax()), new Return(this, request, reply));
    }
  }

  /** Drawn for every message, even a lost one, so that the delays of the others stay the same. */
  private long usualNs(SeededRandom random) {
    return random.between(config.delayNsMin(), config.delayNsMax());
  }

  private long delayNs(NetworkFault delayed, long usualNs) {
    return delayed.happens() ? delayed.drawNs(config.lateNsMin(), config.lateNsMax()) : usualNs;
  }

  private void cut(int client, long ns) {
    if (client >= cutUntilNs.length) {
      cutUntilNs = Arrays.copyOf(cutUntilNs, Math.max(client + 1, cutUntilNs.length * 2));
    }
    cutUntilNs[client] = Math.max(cutUntilNs[client], events.nowNs() + ns);
  }

  private boolean isCut(int client) {
    return client < cutUntilNs.length && events.nowNs() < cutUntilNs[client];
  }

  private record Arrival(Network network, Request request) implements EventQueue.Event {
    @Override
    public void happen() {
      if (!network.isCut(request.client())) {
        network.service.onRequest(request, network);
      }
    }
  }

  private record Return(Network network, Request request, Reply reply) implements EventQueue.Event {
    @Override
    public void happen() {
      if (!network.isCut(request.client())) {
        request.from().onReply(request, reply);
      }
    }
  }
}
