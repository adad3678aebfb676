" plankeep for Vim (8.0 or later) and Neovim: records what changes in a plan when it is saved.
"
" Copy this file into ~/.vim/plugin/ or ~/.config/nvim/plugin/, or say `source /path/to/plankeep.vim`. It needs the
" program plankeep on PATH.
"
"   :PlanStatus     how far the plan is, in a window of its own
"   :PlanNext       what to do now
"   :PlanLint       mistakes of the plan in the quickfix list
"
"   let g:plankeep_program = '/opt/bin/plankeep'    the program, when it is not on PATH
"   let g:plankeep_names = ['TODO.md']              more files that are plans, besides plan.md
"   let g:plankeep_sync = 0                         no recording when a plan is saved

if exists('g:loaded_plankeep') || &compatible || v:version < 800
  finish
endif
let g:loaded_plankeep = 1

function! s:program() abort
  return get(g:, 'plankeep_program', 'plankeep')
endfunction

function! s:warn(text) abort
  echohl WarningMsg
  echomsg 'plankeep: ' . a:text
  echohl None
endfunction

" The buffer's own file when it is Markdown, else the plan that plankeep finds from here.
function! s:plan_arguments() abort
  let l:file = expand('%:p')
  if &buftype ==# '' && l:file =~? '\.\(md\|markdown\)$' && filereadable(l:file)
    return ['--plan', l:file]
  endif
  return []
endfunction

" What the program prints, and its exit status. Arguments are never read by a shell as anything but words.
function! s:run(arguments) abort
  let l:words = [s:program()] + a:arguments
  if !executable(l:words[0])
    return ['there is no program ' . l:words[0], 127]
  endif
  if has('nvim')
    let l:output = system(l:words)
  else
    let l:output = system(join(map(l:words, 'shellescape(v:val)'), ' '))
  endif
  return [l:output, v:shell_error]
endfunction

" Recording a saved plan. 3: this file is no plan that is tracked, which is nobody's business.
function! s:synced(status) abort
  if a:status != 0 && a:status != 3
    call s:warn('the plan was not recorded (exit status ' . a:status . '): plankeep sync says why')
  endif
endfunction

function! s:vim_synced(job, status) abort
  call s:synced(a:status)
endfunction

function! s:neovim_synced(job, status, event) abort
  call s:synced(a:status)
endfunction

function! s:sync(file) abort
  if !get(g:, 'plankeep_sync', 1) || !executable(s:program())
    return
  endif
  let l:words = [s:program(), 'sync', '--plan', fnamemodify(a:file, ':p')]
  if has('nvim')
    " Not ended with Neovim: `:wq` is a save like any other.
    call jobstart(l:words, {'detach': 1, 'on_exit': function('s:neovim_synced')})
  elseif has('job')
    " Not killed when Vim ends: `:wq` is a save like any other.
    call job_start(l:words, {'in_io': 'null', 'out_io': 'null', 'err_io': 'null', 'stoponexit': '',
          \ 'exit_cb': function('s:vim_synced')})
  else
    call s:synced(s:run(l:words[1:])[1])
  endif
endfunction

function! s:is_plan(file) abort
  let l:name = fnamemodify(a:file, ':t')
  return l:name ==? 'plan.md' || index(get(g:, 'plankeep_names', []), l:name) >= 0
endfunction

" A window at the bottom that shows text and nothing else; the next text takes its place.
function! s:show(title, text) abort
  let l:name = '[plankeep ' . a:title . ']'
  for l:window in range(1, winnr('$'))
    if getbufvar(winbufnr(l:window), 'plankeep', 0)
      execute l:window . 'wincmd w'
      break
    endif
  endfor
  if !get(b:, 'plankeep', 0)
    botright new
    let b:plankeep = 1
    setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted nowrap nomodeline
    nnoremap <buffer> <silent> q :close<CR>
  endif
  silent! execute 'keepalt file ' . fnameescape(l:name)
  setlocal modifiable
  silent %delete _
  call setline(1, split(a:text, "\n"))
  setlocal nomodifiable nomodified
  execute 'resize ' . max([3, min([line('$'), &lines / 2])])
endfunction

function! s:command(name) abort
  let [l:output, l:status] = s:run([a:name] + s:plan_arguments())
  call s:show(a:name, l:output)
endfunction

function! s:lint() abort
  let l:arguments = s:plan_arguments()
  let [l:output, l:status] = s:run(['lint', '--json'] + l:arguments)
  try
    let l:files = json_decode(l:output).files
  catch
    call s:warn(substitute(l:output, '\_s\+', ' ', 'g'))
    return
  endtry
  let l:items = []
  for l:file in l:files
    for l:found in get(l:file, 'diagnostics', [])
      let l:text = l:found.message . ' [' . l:found.code . ']'
      if has_key(l:found, 'hint')
        let l:text .= ': ' . l:found.hint
      endif
      call add(l:items, {'filename': l:file.path, 'lnum': l:found.line, 'col': l:found.column,
            \ 'type': toupper(l:found.severity[0]), 'text': l:text})
    endfor
  endfor
  call setqflist(l:items, 'r')
  if empty(l:items)
    cclose
    echo 'plankeep: no mistakes in the plan'
  else
    copen
  endif
endfunction

command! -bar PlanStatus call s:command('status')
command! -bar PlanNext call s:command('next')
command! -bar PlanLint call s:lint()

augroup plankeep
  autocmd!
  autocmd BufWritePost *.md,*.markdown,*.MD if s:is_plan(expand('<afile>')) | call s:sync(expand('<afile>')) | endif
augroup END
