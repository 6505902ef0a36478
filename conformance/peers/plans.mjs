// What each server offers to the steps of session-v1.mjs. A step whose entry is
// missing is skipped; a capability that the plan names and the session lacks is a
// failure.

export const plans = {
  // server-2026.mjs
  ts2026: {
    capabilities: ['tools', 'prompts', 'resources', 'logging', 'completions', 'subscribe'],
    call: { tool: ['echo', { text: 'hi' }], want: /hi/ },
    structured: { tool: ['echo', { text: 's' }] },
    bad: { tool: ['echo', { text: 1 }] },
    iserror: { tool: ['fail', {}] },
    progress: { tool: ['work', { steps: 3 }], least: 3 },
    log: { tool: ['work', { steps: 2 }] },
    form: { tool: ['ask_name', {}] },
    url: { tool: ['open_link', {}] },
    sampling: { tool: ['ask_model', {}] },
    roots: { tool: ['ask_roots', {}] },
    rounds: { tool: ['two_rounds', {}], want: /final/ },
    prompt: { name: 'greet', arguments: { who: 'ada' } },
    complete: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } },
    read: 'memo://one',
    subscribe: { uri: 'memo://one', touch: ['touch', {}], within: 2000 },
    flip: { tool: ['flip', {}] },
    slow: { tool: ['work', { steps: 100, delayMs: 50 }] },
  },

  // @modelcontextprotocol/server-everything: revisions before 2026-07-28
  everything: {
    capabilities: ['tools', 'prompts', 'resources', 'logging', 'completions', 'subscribe'],
    call: { tool: ['echo', { message: 'hi' }], want: /hi/ },
    structured: { tool: ['get-structured-content', { location: 'New York' }] },
    bad: { tool: ['echo', {}] },
    progress: { tool: ['trigger-long-running-operation', { duration: 0.3, steps: 3 }], least: 3 },
    form: { tool: ['trigger-elicitation-request', {}] },
    url: { tool: ['trigger-url-elicitation', { url: 'https://example.com/x' }] },
    sampling: { tool: ['trigger-sampling-request', { prompt: 'p', maxTokens: 5 }] },
    roots: { tool: ['get-roots-list', {}] },
    prompt: { name: 'args-prompt', arguments: { city: 'Oslo' } },
    complete: { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
    read: 'demo://resource/dynamic/text/1',
    subscribe: { uri: 'demo://resource/dynamic/text/1', touch: ['toggle-subscriber-updates', {}], within: 6500 },
    slow: { tool: ['trigger-long-running-operation', { duration: 5, steps: 50 }] },
  },

  // server-filesystem and server-memory of the same scope: tools alone
  filesystem: {
    capabilities: ['tools'],
    call: { tool: ['list_allowed_directories', {}], want: /Allowed/ },
    bad: { tool: ['read_text_file', {}] },
  },
  memory: {
    capabilities: ['tools'],
    call: { tool: ['read_graph', {}], want: /entities/ },
    bad: { tool: ['search_nodes', {}] },
  },

  // the everything server of the Go SDK
  go: {
    capabilities: ['tools', 'prompts', 'resources', 'logging', 'completions', 'subscribe'],
    call: { tool: ['test_simple_text', {}], want: /simple/ },
    iserror: { tool: ['test_error_handling', {}] },
    progress: { tool: ['test_tool_with_progress', {}], least: 3 },
    log: { tool: ['test_tool_with_logging', {}] },
    form: { tool: ['test_input_required_result_elicitation', {}] },
    sampling: { tool: ['test_input_required_result_sampling', {}] },
    roots: { tool: ['test_input_required_result_list_roots', {}] },
    rounds: { tool: ['test_input_required_result_multiple_inputs', {}], want: /./ },
    prompt: { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } },
    complete: {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'a' },
    },
    read: 'test://static-text',
    subscribe: { uri: 'test://watched-resource', within: 4000 }, // it updates by itself
    flip: { tool: ['test_trigger_tool_change', {}] },
  },
};
