package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.local.LocalEntroQ;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting claims of callers who may ask again under the same number, over another connection. */
public class GatewayIdentityTest {
  private static final Identity FIRST = new Identity(7, 8, 1, 1);

  private final GatewaySubject subject = open();
  private final LocalEntroQ queue = subject.queue();
  private final Gateway gateway = queue.gateway();

  /** Opens what is tested. */
  protected GatewaySubject open() {
    return GatewaySubject.embedded();
  }

  @AfterEach
  void close() {
    subject.close();
  }

  @Test
  void shouldGoOnWaitingForOneOfTwoWhoAskForTheSame() {
    for (boolean isFirstCancelled : new boolean[] {true, false}) {
      Identity identity = isFirstCancelled ? FIRST : new Identity(7, 8, 2, 2);
      Heard[] heard = {new Heard(), new Heard(), new Heard()};
      WaitingClaim[] claims = new WaitingClaim[heard.length];
      for (int i = 0; i < heard.length; i++) {
        claims[i] = send(identity, heard[i]);
      }
      awaitAsleep();
      assertThat(parked()).isEqualTo(1);

      claims[isFirstCancelled ? 0 : 2].cancel();
      claims[1].cancel();
      awaitAsleep();
      assertThat(parked()).isEqualTo(1);
      queue.modify(Modification.insert("q", "v")).orThrow();

      assertThat(heard[isFirstCancelled ? 2 : 0].await().claimed).isEqualTo(1);
      assertThat(heard[isFirstCancelled ? 0 : 2].isHeard()).isFalse();
      assertThat(heard[1].isHeard()).isFalse();
    }
  }

  @Test
  void shouldEndAClaimThatNobodyWaitsForAnyMore() {
    send(FIRST, new Heard()).cancel();
    WaitingClaim parked = send(new Identity(7, 8, 2, 1), new Heard());
    awaitAsleep();
    parked.cancel();
    awaitAsleep();

    queue.modify(Modification.insert("q", "v")).orThrow();

    assertThat(parked()).isZero();
    assertThat(available()).isEqualTo(1);
  }

  @Test
  void shouldKeepWhatWasAssignedForTheCallerToAskAgain() {
    queue.modify(Modification.insert("q", "v")).orThrow();
    Heard lost = new Heard();
    WaitingClaim claim = send(FIRST, lost);
    lost.await();
    claim.cancel();
    awaitAsleep();
    assertThat(available()).isZero();

    Heard again = new Heard();
    WaitingClaim next = send(FIRST, again);

    assertThat(again.await().claimed).isEqualTo(1);
    assertThat(again.version).isEqualTo(lost.version);
    next.settle();
  }

  @Test
  void shouldPassOnThatAClientIsNotKnown() {
    Heard heard = new Heard();
    send(new Identity(7, 8, 5, 5), heard);
    assertThat(heard.await().code).isEqualTo(ResultCodes.OUTCOME_UNKNOWN);
  }

  @Test
  void shouldTellOfAClaimThatIsWithdrawn() {
    Heard heard = new Heard();
    WaitingClaim claim = send(FIRST, heard);
    claim.withdraw();
    claim.withdraw();
    assertThat(heard.await().code).isEqualTo(ResultCodes.CANCELLED);
    claim.cancel();
    assertThat(parked()).isZero();

    Heard again = new Heard();
    send(FIRST, again);
    assertThat(again.await().code).isEqualTo(ResultCodes.CANCELLED);
  }

  @Test
  void shouldTellOfTasksThatWereFasterThanTheWithdrawal() {
    queue.modify(Modification.insert("q", "v")).orThrow();
    Heard heard = new Heard();
    WaitingClaim claim = send(FIRST, heard);
    claim.withdraw();
    assertThat(heard.await().claimed).isEqualTo(1);
    claim.withdraw();
    claim.settle();
    awaitAsleep();
    assertThat(available()).isZero();
  }

  @Test
  void shouldWithdrawOneOfTwoWhoAskForTheSame() {
    Heard heard = new Heard();
    Heard other = new Heard();
    WaitingClaim claim = send(FIRST, heard);
    send(FIRST, other);
    claim.withdraw();
    assertThat(heard.await().code).isEqualTo(ResultCodes.CANCELLED);
    assertThat(parked()).isEqualTo(1);
    queue.modify(Modification.insert("q", "v")).orThrow();
    assertThat(other.await().claimed).isEqualTo(1);
  }

  @Test
  void shouldWithdrawBothOfTwoWhoAskForTheSame() {
    for (boolean isFirstFirst : new boolean[] {true, false}) {
      Identity identity = new Identity(isFirstFirst ? 11 : 12, 8, 1, 1);
      Heard heard = new Heard();
      Heard other = new Heard();
      WaitingClaim first = send(identity, heard);
      WaitingClaim second = send(identity, other);
      (isFirstFirst ? first : second).withdraw();
      assertThat((isFirstFirst ? heard : other).await().code).isEqualTo(ResultCodes.CANCELLED);
      (isFirstFirst ? second : first).withdraw();
      assertThat((isFirstFirst ? other : heard).await().code).isEqualTo(ResultCodes.CANCELLED);
      assertThat(parked()).isZero();
    }
  }

  @Test
  void shouldForgetAWithdrawnClaimThatIsCancelled() {
    for (long number = 1; number <= 200; number++) {
      WaitingClaim claim = send(new Identity(7, 8, number, number), new Heard());
      claim.withdraw();
      claim.cancel();
    }
    awaitAsleep();
    assertThat(parked()).isZero();
  }

  @Test
  void shouldNotWithdrawAClaimOfTheGateways() {
    WaitingClaim claim = gateway.waitingClaim(0, waitingClaim("q"), new Heard());
    assertThatThrownBy(claim::withdraw).isInstanceOf(IllegalStateException.class);
    claim.cancel();
  }

  private WaitingClaim send(Identity identity, Heard heard) {
    return gateway.waitingClaim(identity, 0, waitingClaim("q"), heard);
  }

  private int parked() {
    return subject.parkedCount();
  }

  private long available() {
    return queue.queueStats(QueueQuery.named("q")).get("q").available();
  }

  private void awaitAsleep() {
    subject.awaitQuiet();
  }
}
