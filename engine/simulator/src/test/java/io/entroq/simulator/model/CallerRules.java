package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How callers withdraw, vanish or say that a reply has arrived (core 4.2, 4.4, 4.5). */
final class CallerRules {
  /** From this level on an answer may be said to have left. */
  private static final int DELIVERED_LEVEL = 5;

  private final State state;
  private final ClaimRules claims;
  private final WaitRules waits;

  CallerRules(State state, ClaimRules claims, WaitRules waits) {
    this.state = state;
    this.claims = claims;
    this.waits = waits;
  }

  /** Whether there was anything to cancel. */
  boolean cancel(Step step, Cancel cancel) {
    Client client = state.clients.find(Key.of(cancel.getIdentity()));
    long number = cancel.getIdentity().getNumber();
    Receipt receipt = client == null ? null : client.receipt(number);
    if (receipt == null) {
      return false;
    }
    if (receipt.isParked()) {
      waits.cancel(step, state.waiters.at(receipt.parkedAt()));
      return true;
    }
    return takeBack(step, client, number, receipt);
  }

  /** Whether any of the given tasks still stood as it was given, and is back now. */
  private boolean takeBack(Step step, Client client, long number, Receipt receipt) {
    boolean any = receipt.grants().stream().anyMatch(grant -> claims.stands(grant.after()));
    if (any) {
      claims.giveBack(step, receipt.grants());
      client.keep(number, receipt.answered(afterwards(receipt), List.of()));
    }
    return any;
  }

  /** A claim counts as cancelled; a Modify has happened, only its then_claim has not. */
  private static Result afterwards(Receipt receipt) {
    Result.Builder result = receipt.result().toBuilder().clearClaimed();
    return receipt.kind() == Claim.class
        ? result.setCode(ResultCode.RESULT_CANCELLED).build()
        : result.build();
  }

  void callersGone(Step step, CallersGone gone) {
    for (Client client : named(gone)) {
      for (Map.Entry<Long, Receipt> entry : List.copyOf(client.receipts().entrySet())) {
        callerGone(step, client, entry.getKey(), entry.getValue());
      }
    }
  }

  private List<Client> named(CallersGone gone) {
    if (gone.getAll()) {
      return state.clients.all();
    }
    List<Client> clients = new ArrayList<>();
    for (Identity identity : gone.getClientsList()) {
      Client client = state.clients.find(Key.of(identity));
      if (client != null) {
        clients.add(client);
      }
    }
    return clients;
  }

  private void callerGone(Step step, Client client, long number, Receipt receipt) {
    if (receipt.isParked()) {
      waits.cancel(step, state.waiters.at(receipt.parkedAt()));
      client.drop(number);
    } else if (!receipt.grants().isEmpty() && !receipt.isDelivered()) {
      takeBack(step, client, number, receipt);
      if (receipt.kind() == Claim.class) {
        client.drop(number);
      }
    }
  }

  void acknowledge(Step step, Acknowledge acknowledge) {
    for (Identity identity : acknowledge.getClientsList()) {
      Client client = state.clients.find(Key.of(identity));
      if (client != null) {
        acknowledge(step, client, identity.getAckedBelow());
      }
    }
    if (state.level >= DELIVERED_LEVEL) {
      acknowledge.getDeliveredList().forEach(this::delivered);
    }
  }

  /** What was given stays with its caller, also if he is gone; he may still ask again. */
  private void delivered(Identity request) {
    Client client = state.clients.find(Key.of(request));
    Receipt receipt = client == null ? null : client.receipt(request.getNumber());
    if (receipt != null && !receipt.grants().isEmpty()) {
      client.keep(request.getNumber(), receipt.delivered());
    }
  }

  /** A claim that still waits although its answer is said to have arrived ends: nobody listens. */
  void acknowledge(Step step, Client client, long below) {
    for (long sequence : client.parkedBelow(below)) {
      waits.cancel(step, state.waiters.at(sequence));
    }
    client.acknowledge(below);
  }
}
