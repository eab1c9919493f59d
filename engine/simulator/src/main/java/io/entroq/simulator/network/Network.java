package io.entroq.simulator.network;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import java.util.Arrays;

/**
 * Carries requests to a service and replies back to their clients. Each takes a time of its own, so
 * messages overtake each other even where nothing goes wrong. One thread.
 */
public final class Network implements Service.ReplyEnd {
  private final Agenda agenda;
  private final NetworkConfig config;
  private final Service service;
  private final Chance requestDelay;
  private final Chance replyDelay;
  private final Hazard requestLost;
  private final Hazard replyLost;
  private final Hazard requestDelayed;
  private final Hazard replyDelayed;
  private final Hazard requestDoubled;
  private final Hazard replyDoubled;
  private final Hazard cutOff;

  /** By the number of a client: until when nothing passes. */
  private long[] cutUntilNs = new long[16];

  /**
   * @param service where requests arrive
   */
  public Network(
      Agenda agenda, Chance chance, Faults faults, NetworkConfig config, Service service) {
    this.agenda = agenda;
    this.config = config;
    this.service = service;
    requestDelay = chance.fork("request-delay");
    replyDelay = chance.fork("reply-delay");
    requestLost = new Hazard(FaultKind.REQUEST_LOST, config, chance, faults);
    replyLost = new Hazard(FaultKind.REPLY_LOST, config, chance, faults);
    requestDelayed = new Hazard(FaultKind.REQUEST_DELAYED, config, chance, faults);
    replyDelayed = new Hazard(FaultKind.REPLY_DELAYED, config, chance, faults);
    requestDoubled = new Hazard(FaultKind.REQUEST_DOUBLED, config, chance, faults);
    replyDoubled = new Hazard(FaultKind.REPLY_DOUBLED, config, chance, faults);
    cutOff = new Hazard(FaultKind.CLIENT_CUT_OFF, config, chance, faults);
  }

  /**
   * A client sends a request, for the first time or once more.
   *
   * @return how many copies of it are on their way now
   */
  public int send(Request request) {
    long usualNs = usualNs(requestDelay);
    if (cutOff.happens()) {
      cut(request.client(), cutOff.drawNs(config.cutOffNsMin(), config.cutOffNsMax()));
    }
    if (isCut(request.client()) || requestLost.happens()) {
      return 0;
    }
    agenda.in(delayNs(requestDelayed, usualNs), new Arrival(this, request));
    if (!requestDoubled.happens()) {
      return 1;
    }
    agenda.in(requestDoubled.drawNs(0, config.lateNsMax()), new Arrival(this, request));
    return 2;
  }

  /** The service replies to a request. */
  @Override
  public void reply(Request request, Reply reply) {
    long usualNs = usualNs(replyDelay);
    if (isCut(request.client()) || replyLost.happens()) {
      return;
    }
    agenda.in(delayNs(replyDelayed, usualNs), new Return(this, request, reply));
    if (replyDoubled.happens()) {
      agenda.in(replyDoubled.drawNs(0, config.lateNsMax()), new Return(this, request, reply));
    }
  }

  /** Drawn for every message, lost ones too, so that the others take the time they would take. */
  private long usualNs(Chance chance) {
    return chance.between(config.delayNsMin(), config.delayNsMax());
  }

  private long delayNs(Hazard delayed, long usualNs) {
    return delayed.happens() ? delayed.drawNs(config.lateNsMin(), config.lateNsMax()) : usualNs;
  }

  private void cut(int client, long ns) {
    if (client >= cutUntilNs.length) {
      cutUntilNs = Arrays.copyOf(cutUntilNs, Math.max(client + 1, cutUntilNs.length * 2));
    }
    cutUntilNs[client] = Math.max(cutUntilNs[client], agenda.nowNs() + ns);
  }

  private boolean isCut(int client) {
    return client < cutUntilNs.length && agenda.nowNs() < cutUntilNs[client];
  }

  private record Arrival(Network network, Request request) implements Agenda.Event {
    @Override
    public void happen() {
      if (!network.isCut(request.client())) {
        network.service.onRequest(request, network);
      }
    }
  }

  private record Return(Network network, Request request, Reply reply) implements Agenda.Event {
    @Override
    public void happen() {
      if (!network.isCut(request.client())) {
        request.from().onReply(request, reply);
      }
    }
  }
}
