/**
 * The manifests of workflows ({@code Workflow}, {@code WorkflowTemplate}, {@code
 * ClusterWorkflowTemplate}, {@code CronWorkflow}) as records. A component has the name of the YAML
 * key. What Kubernetes alone reads (affinity, security contexts, resources …) stays a free tree.
 * Meaning is not here: the workflow engine has it.
 */
@NullMarked
package dev.millrace.schemas.workflow;

import org.jspecify.annotations.NullMarked;
