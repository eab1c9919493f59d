package io.entroq.service;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Who may import whom, in the service. */
class ImportRulesTest {
  // Read once for all rules.
  private static final JavaClasses SERVICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq.service");

  private static final String ABORTED = "ABORTED";

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.service.(**)").should().beFreeOfCycles().check(SERVICE);
  }

  @Test
  void shouldKnowInOnePackageWhatCarriesRequests() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.service.grpc..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.grpc..")
                // Certificates that may change while they are used, for whatever listens.
                .and(not(resideInAPackage("io.grpc.util")))
                .and(not(equivalentTo(Status.class)))
                .and(not(equivalentTo(Status.Code.class))))
        .because("the same service goes behind whatever carries requests")
        .check(SERVICE);
  }

  @Test
  void shouldKnowInOnePackageWhatCarriesHttp() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.service.http..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .because("the same service goes behind whatever carries requests")
        .check(SERVICE);
  }

  @Test
  void shouldKnowOfAnEngineNoMoreThanItsGateway() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.service..")
        .and()
        .resideOutsideOfPackages("io.entroq.service.metrics..", "io.entroq.service.admin..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.entroq.engine..")
                .and(not(resideInAPackage("io.entroq.engine.gateway"))))
        .because("a member of a cluster has a gateway too")
        .check(SERVICE);
  }

  @Test
  void shouldKnowInOnePackageOfTracesAndInOneOfNumbers() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.service.tracing..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.opentelemetry..")
        .because("none of it is loaded where there are no traces")
        .check(SERVICE);
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.service.metrics..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micrometer..", "io.prometheus..")
        .check(SERVICE);
  }

  @Test
  void shouldAnswerAbortedForFailedDependenciesAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.service.http.protocol")
        .should()
        .accessField(Status.Code.class, ABORTED)
        .orShould()
        .accessField(Status.class, ABORTED)
        .because("clients take it for a failed dependency, which only REST and Connect report so")
        .check(SERVICE);
  }
}
